import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import type { AddressLimits } from '../access/limits/address-limits.js';
import { VERSIONS } from '../common/api-versions.js';
import { JSON_TYPE } from '../common/envelope/rendered-answer.js';
import { staticFiles } from '../server/static-files.js';
import { documentFile } from './document-files.js';

/** A document changes with the code alone. */
const CACHE_CONTROL = 'public, max-age=300';

/** Answers `GET /openapi/v3.0.json` and its like with the documents as they are committed. */
export function documentRouter(limits: AddressLimits): Router {
  const documents = VERSIONS.map((version) => ({
    path: `/v${version}.json`,
    content: readFileSync(documentFile(version)),
    type: JSON_TYPE,
    cacheControl: CACHE_CONTROL,
  }));
  return staticFiles(limits, documents);
}
