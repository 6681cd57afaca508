import { readdirSync } from 'node:fs';
import { slugOf, type CoreVersion } from '../../api/versions/api-versions.js';
import { BUNDLE, FILES } from '../files/project-files.js';

export const DOCUMENT_FOLDER = new URL('openapi/', FILES);

/** Folder with the answer schemas of all versions. */
export const SCHEMA_FOLDER = new URL('schemas/', DOCUMENT_FOLDER);

export function documentFile(version: CoreVersion): URL {
  return new URL(`${slugOf(version)}.json`, DOCUMENT_FOLDER);
}

/** Returns the Postman collection that the build makes from the document of a version. */
export function postmanFile(version: CoreVersion): URL {
  return new URL(`openapi/${slugOf(version)}.postman_collection.json`, BUNDLE);
}

/**
 * Returns the schema files of a version: `shared.json`, the service's own `v3.0.json`, and one for
 * each added module, such as `v3.0.payouts.json`.
 */
export function schemaFiles(version: CoreVersion): URL[] {
  const names = readdirSync(SCHEMA_FOLDER).filter((name) => name.startsWith(`${slugOf(version)}.`));
  return ['shared.json', ...names.sort()].map((name) => new URL(name, SCHEMA_FOLDER));
}
