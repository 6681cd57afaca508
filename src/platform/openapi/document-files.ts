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

/** Returns the schema files of a version: `shared.json`, and its own, such as `v3.0.json`. */
export function schemaFiles(version: CoreVersion): URL[] {
  return ['shared.json', `${slugOf(version)}.json`].map((name) => new URL(name, SCHEMA_FOLDER));
}
