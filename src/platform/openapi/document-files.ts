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

/** Values, fields and the envelope, shared by all versions. */
export const SHARED_SCHEMAS = new URL('shared.json', SCHEMA_FOLDER);

/** Returns the schema files of a version: the shared one, and its own. */
export function schemaFiles(version: CoreVersion): URL[] {
  return [SHARED_SCHEMAS, new URL(`${slugOf(version)}.json`, SCHEMA_FOLDER)];
}
