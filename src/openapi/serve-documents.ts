import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, RequestHandler } from 'express';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AddressLimits } from '../access/limits/address-limits.js';
import { VERSIONS, type ApiVersion } from '../common/api-versions.js';
import { JSON_TYPE } from '../common/envelope/rendered-answer.js';
import { documentFile } from './document-files.js';

/** A document changes with the code alone. */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Answers `GET /openapi/v3.0.json` and its like with the documents as they are committed. They hold
 * nothing of anybody and need no key. Every controller stands behind one, so these are routes of
 * Express; the limits of addresses hold here as everywhere, and another method finds `Allow`.
 */
export function serveDocuments(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const limits = app.get(AddressLimits);
  for (const version of VERSIONS) {
    express.get(`/openapi/v${version}.json`, documentHandler(version, limits));
  }
}

function documentHandler(version: ApiVersion, limits: AddressLimits): RequestHandler {
  const document = readFileSync(documentFile(version));
  const tag = `"${hash('sha256', document, 'base64url')}"`;
  return async (request, response) => {
    await limits.take(request);
    response.setHeader('Content-Type', JSON_TYPE);
    response.setHeader('Cache-Control', CACHE_CONTROL);
    response.setHeader('ETag', tag);
    // Express itself heeds If-None-Match, and HEAD.
    response.send(document);
  };
}
