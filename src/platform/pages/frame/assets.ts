import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import { FILES, PACKAGES } from '../../files/project-files.js';
import type { AddressLimits } from '../../limits/limiter.js';
import { PublicFile, publicFiles } from '../../../api/edge/public-file.js';

const PATH = '/assets';
const OWN = new URL('assets/', FILES);
const [SCRIPT, STYLE, FONT] = ['text/javascript', 'text/css', 'font/woff2'];

/** Parts of the style sheet of every page, in their order. */
const STYLES = [
  'tokens',
  'text',
  'header',
  'page',
  'controls',
  'choices',
  'content',
  'figures',
  'charts',
  'tables',
  'grids',
  'narrow-tables',
];

/** Files of the pages: their parts, which are sent as one, and their media type. */
const ASSETS = {
  'style.css': [STYLES.map((name) => new URL(`style/${name}.css`, OWN)), STYLE],
  'print.css': [[new URL('print.css', OWN)], STYLE],
  'page.js': [[new URL('page.js', OWN)], SCRIPT],
  'parts.css': [[new URL('parts.css', OWN)], STYLE],
  'parts.js': [[new URL('parts.js', OWN)], SCRIPT],
  'guide.css': [[new URL('guide.css', OWN)], STYLE],
  'icon.svg': [[new URL('icon.svg', OWN)], 'image/svg+xml'],
  'inter-latin.woff2': [[new URL('fonts/inter-latin.woff2', OWN)], FONT],
  'inter-latin-ext.woff2': [[new URL('fonts/inter-latin-ext.woff2', OWN)], FONT],
  'chart.js': [[new URL('chart.js/dist/chart.umd.min.js', PACKAGES)], SCRIPT],
  'report-chart.js': [[new URL('report-chart.js', OWN)], SCRIPT],
  'swagger-ui.css': [[new URL('swagger-ui-dist/swagger-ui.css', PACKAGES)], STYLE],
  'swagger-ui-bundle.js': [[new URL('swagger-ui-dist/swagger-ui-bundle.js', PACKAGES)], SCRIPT],
  'reference.css': [[new URL('reference.css', OWN)], STYLE],
  'reference.js': [[new URL('reference.js', OWN)], SCRIPT],
} as const;
export type Asset = keyof typeof ASSETS;

/** Assets can be cached for a year, because the URL changes with the content. */
const HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };
// oxlint-disable-next-line house/nothing-lasts -- files that are part of the program never change
const files = new Map<Asset, PublicFile>();

export function assetPath(name: Asset): string {
  return PATH + pathOf(name);
}

export function assetRouter(limits: AddressLimits): Router {
  const names = Object.keys(ASSETS).filter(isAsset);
  return publicFiles(limits, new Map(names.map((name) => [pathOf(name), fileOf(name)])));
}

/** Caches may keep a file at the root for a day, because its URL never changes. */
const ROOT_HEADERS = { 'Cache-Control': 'public, max-age=86400' };
const ROBOTS = 'User-agent: *\nDisallow: /account\n';

/** Returns the files that browsers and crawlers request at the root of a host, by path. */
export function rootFiles(): ReadonlyMap<string, PublicFile> {
  const icon = new PublicFile(contentOf('icon.svg'), ASSETS['icon.svg'][1], ROOT_HEADERS);
  return new Map([
    // Browsers show an icon by its type, not by the end of its name.
    ['/favicon.ico', icon],
    ['/robots.txt', new PublicFile(ROBOTS, 'text/plain', ROOT_HEADERS)],
  ]);
}

function pathOf(name: Asset): string {
  return `/${fileOf(name).hash}/${name}`;
}

function fileOf(name: Asset): PublicFile {
  const file = files.get(name) ?? new PublicFile(contentOf(name), ASSETS[name][1], HEADERS);
  files.set(name, file);
  return file;
}

function contentOf(name: Asset): string | Buffer {
  const [parts, type] = ASSETS[name];
  const content = Buffer.concat(parts.map((part) => readFileSync(part)));
  if (type === FONT) return content;
  const text = content.toString('utf8');
  return type === STYLE ? withPaths(text) : text;
}

/** Replaces the names of fonts in a style sheet by their addresses, relative to its own. */
function withPaths(text: string): string {
  return text.replaceAll(/url\('([\w-]+\.woff2)'\)/g, (whole, name: string) =>
    isAsset(name) ? `url('..${pathOf(name)}')` : whole,
  );
}

function isAsset(name: string): name is Asset {
  return Object.hasOwn(ASSETS, name);
}
