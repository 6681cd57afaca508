import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import type { AddressLimits } from '../access/limits/address-limits.js';
import { VERSIONS } from '../common/api-versions.js';
import { PublicFile } from '../server/public-file.js';
import { publicFiles } from '../server/public-files.js';
import { documentFile } from './document-files.js';

/** A document changes with the code alone. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };

/** Answers `GET /openapi/v3.0.json` and its like with the documents as they are committed. */
export function documentRouter(limits: AddressLimits): Router {
  const documents = VERSIONS.map((version) => {
    const text = readFileSync(documentFile(version), 'utf8');
    return [`/v${version}.json`, new PublicFile(text, 'application/json', HEADERS)] as const;
  });
  return publicFiles(limits, new Map(documents));
}
