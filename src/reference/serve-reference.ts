import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express } from 'express';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AddressLimits } from '../access/limits/address-limits.js';
import { VERSIONS } from '../common/api-versions.js';
import { ApiError } from '../common/errors/api-error.js';
import { PublicFile } from './public-file.js';
import { referencePage } from './reference-page.js';

/** What a page may do: run and show what comes from this server, and call it. */
const POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');
/** A page names its files by their hashes: an old page would ask for files that are gone. */
const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'public, no-cache',
};
const FILE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const OWN = new URL('../../assets/', import.meta.url);
const { resolve } = createRequire(import.meta.url);
const SCRIPTS = [resolve('swagger-ui-dist/swagger-ui-bundle.js'), new URL('reference.js', OWN)];
const STYLES = [resolve('swagger-ui-dist/swagger-ui.css'), new URL('reference.css', OWN)];

/**
 * Answers `GET /docs`, `/docs/v3.0` and its like with a page that shows the OpenAPI document of a
 * version, and what such a page loads. It needs no key, like the documents themselves, and is a route
 * of Express as they are: one for all of it, since every request of the API passes by.
 */
export function serveReference(app: NestExpressApplication): void {
  const express: Express = app.getHttpAdapter().getInstance();
  const limits = app.get(AddressLimits);
  const files = referenceFiles();
  express.get('/docs{/:file}', async (request, response) => {
    await limits.take(request);
    const file = files.get(request.params.file ?? `v${VERSIONS[0]}`);
    if (file === undefined) throw new ApiError('not_found', 'There is no such page.');
    await file.send(request, response);
  });
}

/** By their names below `/docs/`. */
function referenceFiles(): ReadonlyMap<string, PublicFile> {
  const scripts = SCRIPTS.map((source) => namedByHash(source, 'text/javascript'));
  const styles = STYLES.map((source) => namedByHash(source, 'text/css'));
  const pathOf = ([name]: readonly [string, PublicFile]) => `/docs/${name}`;
  const paths = { scripts: scripts.map(pathOf), styles: styles.map(pathOf) };
  const pages = VERSIONS.map(
    (version) =>
      [
        `v${version}`,
        new PublicFile(referencePage(version, paths), 'text/html', PAGE_HEADERS),
      ] as const,
  );
  return new Map([...scripts, ...styles, ...pages]);
}

/** `reference.0123456789abcdef.css`: whatever is cached under this name stays right. */
function namedByHash(source: string | URL, type: string): readonly [string, PublicFile] {
  const file = new PublicFile(readFileSync(source, 'utf8'), type, FILE_HEADERS);
  const [stem, extension] = String(source).split('/').at(-1)?.split('.') ?? [];
  return [`${stem ?? ''}.${file.hash}.${extension ?? ''}`, file];
}
