import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import type { AddressLimits } from '../access/limits/address-limits.js';
import { API_VERSIONS, slugOf, VERSIONS, type ApiVersion } from '../common/api-versions.js';
import { PublicFile } from '../server/middleware/public-file.js';
import { publicFiles } from '../server/middleware/public-files.js';
import { API_TITLE } from './api-documents.js';
import { documentFile, postmanFile } from './document-files.js';

/** A document changes only with the code. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };
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
export function documentRouter(limits: AddressLimits): Router {
  const files = VERSIONS.flatMap((version) => [
    [documentPath(version), readFileSync(documentFile(version), 'utf8')] as const,
    [postmanPath(version), readFileSync(postmanFile(version), 'utf8')] as const,
  ]);
  const all = [[`${PATH}/`, listOfDocuments()] as const, ...files];
  return publicFiles(
    limits,
    new Map(
      all.map(([path, text]) => [
        path.slice(PATH.length),
        new PublicFile(text, 'application/json', HEADERS),
      ]),
    ),
  );
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
