import semver from 'semver';
import { extensionsIn, type Environment } from '../../config/settings.js';
import type { ExtensionDeclaration, LoadedExtension } from '../../feature.js';
import { VERSION } from '../../platform/files/project-files.js';
import { isRecord } from '../../platform/values/is-record.js';
import { loadEnvironment } from '../load-settings.js';
import { declarationIn } from './declared/checked-declaration.js';
import { DeclaredNames } from './declared/declared-names.js';
import {
  callingExtension,
  ExtensionError,
  usingExtension,
} from '../../platform/errors/extension-error.js';
import { findExtension, type FoundExtension } from './find-extension.js';

/**
 * Loads the declarations of the extensions that EXTENSIONS names, and checks them.
 * @throws ExtensionError for the first extension that cannot be used
 */
export async function loadExtensions(
  environment: Environment = loadEnvironment(),
): Promise<readonly LoadedExtension[]> {
  const names = new DeclaredNames();
  const extensions: LoadedExtension[] = [];
  for (const given of extensionsIn(environment)) {
    const extension = await loadExtension(findExtension(given));
    names.take(extension.declaration);
    extensions.push(extension);
  }
  return extensions;
}

/**
 * Loads the declaration of an extension.
 * @throws ExtensionError if it is no declaration, or of another version of the service
 */
export async function loadExtension(found: FoundExtension): Promise<LoadedExtension> {
  const { given, folder, version, entry } = found;
  // The hooks of Node.js that resolve `vendor-reporting-api/extension` are registered once.
  await import('./register.js');
  const loaded: unknown = await usingExtension(given, 'loading it', () => import(entry));
  const declaration = callingExtension(given, 'reading its declaration', () => {
    const exported = isRecord(loaded) ? loaded.default : undefined;
    return declarationIn(given, exported);
  });
  checkCompatibility(declaration);
  return { declaration, version, folder };
}

function checkCompatibility({ name, compatibility }: ExtensionDeclaration): void {
  // An empty text would be any version.
  if (compatibility.trim() === '' || semver.validRange(compatibility) === null) {
    const problem = `compatibility "${compatibility}" is not a range of versions such as ^0.9`;
    throw new ExtensionError(name, problem);
  }
  if (semver.satisfies(VERSION, compatibility, { includePrerelease: true })) return;
  const problem = `it works with versions ${compatibility} of the service, and this is ${VERSION}`;
  throw new ExtensionError(name, problem);
}
