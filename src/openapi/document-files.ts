import { readdirSync } from 'node:fs';
import type { ApiVersion } from '../common/api-versions.js';

/** Beside the code and beside what is built from it. */
export const DOCUMENT_FOLDER = new URL('../../openapi/', import.meta.url);

/** The file of the document of a version, as it is committed. */
export function documentFile(version: ApiVersion): URL {
  return new URL(`v${version}.json`, DOCUMENT_FOLDER);
}

/** The same as a collection of requests for Postman. */
export function postmanFile(version: ApiVersion): URL {
  return new URL(`v${version}.postman_collection.json`, DOCUMENT_FOLDER);
}

/**
 * The files of a version's schemas: what all versions share, the service's own, `v3.0.json`, and one
 * for each module that was added, `v3.0.payouts.json`.
 */
export function schemaFiles(version: ApiVersion): URL[] {
  const folder = new URL('schemas/', DOCUMENT_FOLDER);
  const names = readdirSync(folder).filter((name) => name.startsWith(`v${version}.`));
  return ['shared.json', ...names.sort()].map((name) => new URL(name, folder));
}
