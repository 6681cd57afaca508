import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { printLine } from '../../platform/commands/output.js';
import { StartError } from '../../platform/errors/domain-error.js';
import { codeOf } from '../../platform/errors/is-error.js';
import { BUNDLE, FILES, PROJECT, VERSION } from '../../platform/files/project-files.js';
import { shownText } from '../../platform/values/shown-text.js';
import { reportingStartErrors } from '../start-errors.js';
import { checkName } from './declared/declared-names.js';

/** The written extension is a copy of this one, with another name. */
const TEMPLATE = new URL('assets/extension/', FILES);
const TEMPLATE_NAME = 'sample-name';
/** A package.json would be read by tools that work on the whole repository. */
const MANIFEST = 'manifest.json';
const TIME_OF_MIGRATION = '1700000000000';
/** Packages that are published nowhere, so every extension has copies of them. */
const ARCHIVES = ['vendor-reporting-api', 'vendor-reporting-api-testing'].map(
  (name) => `${name}-${VERSION}.tgz`,
);

interface Written {
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Builds `extension new`, which needs neither settings nor a database. */
export function newExtensionCommand(): Command {
  return new Command('new')
    .description('write a working extension into a new folder')
    .argument('<name>', '2 to 40 lower-case letters, digits and dashes, such as gift-cards')
    .option('--into <folder>', 'new or empty folder; extensions/NAME by default')
    .action((name: string, { into }: { readonly into?: string }) =>
      reportingStartErrors(() => {
        const folder = into ?? join('extensions', name);
        writeExtension(name, resolve(folder));
        const given = /^[./]/.test(folder) ? folder : `./${folder}`;
        printLine(`The extension ${name} is in ${folder}.`);
        printLine('  Build it:  npm install && npm run build');
        printLine(`  Use it:    EXTENSIONS=${given} npm start`);
        return Promise.resolve();
      }),
    );
}

/**
 * Writes a working extension into a new or empty folder.
 * @throws StartError if the name or the folder cannot be used; then nothing is written
 */
export function writeExtension(name: string, folder: string): void {
  checkName(name);
  const files = [...filesFor(name, folder), ...archives()];
  const made: string[] = [];
  try {
    if (isInUse(folder)) {
      throw new StartError(`${shownText(folder)} exists and is not an empty folder.`);
    }
    for (const { path, content } of files) {
      const file = join(folder, path);
      makeFolders(dirname(file), made);
      made.push(file);
      writeFileSync(file, content);
    }
  } catch (error) {
    // The last path comes first, so that each folder is empty.
    for (const path of made.reverse()) removeMade(path);
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new StartError(`${shownText(folder)} cannot be written: ${code}.`);
  }
}

/** Removes a file, which may not exist, or an empty folder. The first error says more than its own. */
function removeMade(path: string): void {
  try {
    if (lstatSync(path).isDirectory()) rmdirSync(path);
    else rmSync(path);
  } catch {
    // The path stays if it cannot be removed.
  }
}

/**
 * Makes a folder with those above it. `mkdir` of Node.js 20 never ends for a folder in a file
 * system that has no new folders, such as /proc, if it makes those above.
 * @param made gets the folders that were made
 */
function makeFolders(folder: string, made: string[]): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}

function isInUse(folder: string): boolean {
  // A link to nothing is in use, too.
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return false;
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return !isFolder || readdirSync(folder).length > 0;
}

function filesFor(name: string, folder: string): Written[] {
  const rename = renamer(name, folder);
  const names = readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' });
  return names
    .filter((path) => statSync(new URL(path, TEMPLATE)).isFile())
    .map((path) => {
      const content = readFileSync(new URL(path, TEMPLATE), 'utf8');
      return path === MANIFEST
        ? { path: 'package.json', content: rename(withRanges(content)) }
        : { path: rename(path), content: rename(content) };
    });
}

/** Returns a function that writes a text of the template for an extension with another name. */
function renamer(name: string, folder: string): (text: string) => string {
  const service = relative(folder, fileURLToPath(PROJECT)).split(sep).join('/');
  const [major, minor] = VERSION.split('.');
  const others = spellings(name);
  const words = new Map([
    ...spellings(TEMPLATE_NAME).map((word, at): [string, string] => [word, others[at] ?? '']),
    [TIME_OF_MIGRATION, String(Date.now())],
    ['SERVICE_FOLDER', service],
    ['SERVICE_RANGE', `^${major}.${minor}`],
    ['SERVICE_VERSION', VERSION],
  ]);
  const any = new RegExp([...words.keys()].join('|'), 'g');
  return (text) => text.replace(any, (word) => words.get(word) ?? word);
}

/** Returns a name as files, tables, settings, classes, functions and titles spell it. */
function spellings(name: string): string[] {
  const snake = name.replaceAll('-', '_');
  const camel = name.replaceAll(/-+(.?)/g, (_, letter: string) => letter.toUpperCase());
  const words = name.replaceAll('-', ' ');
  return [name, snake, snake.toUpperCase(), capitalized(camel), camel, capitalized(words)];
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Gives the packages of a package.json the versions with which the service works. */
function withRanges(manifest: string): string {
  const service = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const ranges = new Map(Object.entries({ ...service.devDependencies, ...service.dependencies }));
  return manifest.replace(
    /"([^"]+)": "SERVICE_RANGE"/g,
    (_, name: string) => `"${name}": "${ranges.get(name) ?? ''}"`,
  );
}

function archives(): Written[] {
  return ARCHIVES.map((name) => {
    const file = new URL(`kit/${name}`, BUNDLE);
    if (!existsSync(file)) {
      throw new StartError(`${fileURLToPath(file)} is missing; run "npm run build".`);
    }
    return { path: join('kit', name), content: readFileSync(file) };
  });
}
