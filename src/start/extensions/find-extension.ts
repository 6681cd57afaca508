import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isError } from '../../platform/errors/is-error.js';
import { PROJECT } from '../../platform/files/project-files.js';
import { isRecord } from '../../platform/values/is-record.js';
import { ExtensionError } from '../../platform/errors/extension-error.js';

/** Conditions of `exports` in a package.json under which an extension is imported. */
const CONDITIONS = ['node', 'import', 'default'];

/** An extension as its package.json describes it. */
export interface FoundExtension {
  /** The package or the folder that EXTENSIONS names. */
  readonly given: string;
  readonly folder: string;
  readonly version: string;
  /** URL of the module that exports the declaration. */
  readonly entry: string;
  /** Content of its package.json. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

/**
 * Finds an extension.
 * @param given a folder, if it begins with `.` or `/`, or a package
 * @throws ExtensionError
 */
export function findExtension(given: string): FoundExtension {
  const folder = /^[./]/.test(given) ? resolve(given) : folderOfPackage(given);
  const manifest = readManifest(given, folder);
  const { version } = manifest;
  const path = entryOf(manifest.exports) ?? textOf(manifest.main) ?? 'index.js';
  const file = join(folder, path);
  if (!existsSync(file)) {
    throw new ExtensionError(
      given,
      `${path} is missing; build the extension, or name it in "exports"`,
    );
  }
  return {
    given,
    folder,
    version: textOf(version) ?? '0.0.0',
    entry: pathToFileURL(file).href,
    manifest,
  };
}

function readManifest(given: string, folder: string): FoundExtension['manifest'] {
  const file = join(folder, 'package.json');
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(manifest)) return manifest;
  } catch (error) {
    if (isError(error) && !(error instanceof SyntaxError)) {
      throw new ExtensionError(given, `${file} cannot be read`);
    }
  }
  throw new ExtensionError(given, `${file} is not a JSON object`);
}

/** Looks for a package where Node.js does, from the current folder and from the service. */
function folderOfPackage(name: string): string {
  const places = [process.cwd(), fileURLToPath(PROJECT)].flatMap(foldersAbove);
  const folders = places.map((place) => join(place, 'node_modules', name));
  const found = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) {
    throw new ExtensionError(name, 'the package is not installed; a folder begins with ./ or /');
  }
  return found;
}

function foldersAbove(folder: string): string[] {
  const { root } = parse(folder);
  const folders = [folder];
  for (let at = folder; at !== root; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

/** Returns the path that `exports` has for an import of the package itself. */
function entryOf(exported: unknown): string | null {
  if (typeof exported === 'string') return exported;
  if (!isRecord(exported)) return null;
  if ('.' in exported) return entryOf(exported['.']);
  const condition = CONDITIONS.find((name) => name in exported);
  return condition === undefined ? null : entryOf(exported[condition]);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
