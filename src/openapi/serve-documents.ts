import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import type { AddressLimits } from '../access/limits/address-limits.js';
import { API_VERSIONS, slugOf, VERSIONS, type ApiVersion } from '../common/api-versions.js';
import { PublicFile } from '../server/middleware/public-file.js';
import { publicFiles } from '../server/middleware/public-files.js';
import { API_TITLE } from './api-documents.js';
import { documentFile, postmanFile } from './document-files.js';
import { PostmanFile } from './postman-file.js';

/** A document changes only with the code. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };
/** Another host would get another collection, which a shared cache may not see. */
const COLLECTION_HEADERS = { 'Cache-Control': 'private, max-age=300' };
const PATH = '/openapi';

export function documentPath(version: ApiVersion): string {
  return `${PATH}/${slugOf(version)}.json`;
}

export function postmanPath(version: ApiVersion): string {
  return `${PATH}/${slugOf(version)}.postman_collection.json`;
}

/**
 * Serves the list of the documents at `/openapi`, and the committed documents and Postman collections at
 * `/openapi/v3.0.json` and the like.
 */
export function documentRouter(limits: AddressLimits, publicUrl: string | null): Router {
  const jsonFile = (text: string) => new PublicFile(text, 'application/json', HEADERS);
  const collection = (text: string) => new PostmanFile(text, publicUrl, COLLECTION_HEADERS);
  const files = VERSIONS.flatMap((version) => [
    [documentPath(version), jsonFile(readFileSync(documentFile(version), 'utf8'))] as const,
    [postmanPath(version), collection(readFileSync(postmanFile(version), 'utf8'))] as const,
  ]);
  const all = [[`${PATH}/`, jsonFile(listOfDocuments())] as const, ...files];
  return publicFiles(limits, new Map(all.map(([path, file]) => [path.slice(PATH.length), file])));
}

function listOfDocuments(): string {
  const documents = VERSIONS.map((version) => ({
    title: `${API_TITLE} ${version}`,
    version,
    status: API_VERSIONS[version].status,
    url: documentPath(version),
    postman_collection_url: postmanPath(version),
  }));
  return `${JSON.stringify({ documents }, null, 2)}\n`;
}
