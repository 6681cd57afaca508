import type { Router } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import { VERSIONS, type ApiVersion } from '../../common/api-versions.js';
import { PublicFile } from '../../server/middleware/public-file.js';
import { publicFiles } from '../../server/middleware/public-files.js';
import { pageSecurityHeaders } from '../../server/middleware/security-headers.js';
import { guideFiles } from '../guide/guide.pages.js';
import { renderReference } from './reference.view.js';

/** A page names its files by their hashes: an old page would ask for files that are gone. */
const HEADERS = { 'Cache-Control': 'public, no-cache' };
/** The style of swagger-ui holds its arrows as images. */
const IMAGES = ['data:'] as const;

/**
 * Answers `GET /docs`, `/docs/v3.0` and its like with a page that shows the OpenAPI document of a
 * version, and `GET /docs/guide`. They need no key, like the documents themselves.
 */
export function referenceRouter(limits: AddressLimits): Router {
  const pageOf = (version: ApiVersion) =>
    new PublicFile(renderReference(version), 'text/html', HEADERS);
  const [newest] = VERSIONS;
  const pages = new Map(VERSIONS.map((version) => [`/v${version}`, pageOf(version)]));
  if (newest !== undefined) pages.set('/', pageOf(newest));
  const all = new Map([...pages, ...guideFiles(HEADERS)]);
  return publicFiles(limits, all, pageSecurityHeaders(IMAGES));
}
