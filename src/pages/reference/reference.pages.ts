import type { Router } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import { slugOf, VERSIONS, type ApiVersion } from '../../common/api-versions.js';
import { PublicFile } from '../../server/middleware/public-file.js';
import { publicFiles } from '../../server/middleware/public-files.js';
import { pageSecurityHeaders } from '../../server/middleware/security-headers.js';
import { guideFiles } from '../guide/guide.pages.js';
import { renderReference } from './reference.view.js';

/**
 * Browsers must revalidate, because pages refer to assets by hash, and an old page would refer to
 * assets that no longer exist.
 */
const HEADERS = { 'Cache-Control': 'public, no-cache' };
/** The style sheet of swagger-ui contains images. */
const IMAGES = ['data:'] as const;

/**
 * Serves the API reference at `/docs` and at paths such as `/docs/v3.0` and `/docs/ledger-1`, and
 * the guide at `/docs/guide`. They need no key.
 * @param basePath path of PUBLIC_URL; empty for the root
 */
export function referenceRouter(limits: AddressLimits, basePath: string): Router {
  const pageOf = (version: ApiVersion) =>
    new PublicFile(renderReference(version, basePath), 'text/html', HEADERS);
  const [newest] = VERSIONS;
  const pages = new Map(VERSIONS.map((version) => [`/${slugOf(version)}`, pageOf(version)]));
  if (newest !== undefined) pages.set('/', pageOf(newest));
  const all = new Map([...pages, ...guideFiles(HEADERS, basePath)]);
  return publicFiles(limits, all, pageSecurityHeaders(IMAGES));
}
