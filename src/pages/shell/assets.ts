import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import type { AddressLimits } from '../../access/limits/address-limits.js';
import { staticFiles } from '../../server/static-files.js';

const FOLDER = new URL('../../../assets/', import.meta.url);
/** What pages load, by name, with where it lies and its media type. */
const ASSETS = {
  'style.css': [new URL('style.css', FOLDER), 'text/css; charset=utf-8'],
  'page.js': [new URL('page.js', FOLDER), 'text/javascript; charset=utf-8'],
  'chart.js': [
    new URL('../../../node_modules/chart.js/dist/chart.umd.min.js', import.meta.url),
    'text/javascript; charset=utf-8',
  ],
  'report-chart.js': [new URL('report-chart.js', FOLDER), 'text/javascript; charset=utf-8'],
  'icon.svg': [new URL('icon.svg', FOLDER), 'image/svg+xml'],
} as const;
export type Asset = keyof typeof ASSETS;

const contents = new Map<Asset, Buffer>();
const paths = new Map<Asset, string>();

/** A year, since another content has another address. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** The address of a file that a page loads. It changes with the file. */
export function assetPath(name: Asset): string {
  const known = paths.get(name);
  if (known !== undefined) return known;
  const path = `/assets/${hash('sha256', contentOf(name), 'base64url').slice(0, 12)}/${name}`;
  paths.set(name, path);
  return path;
}

/** Serves what pages load. */
export function assetRouter(limits: AddressLimits): Router {
  const files = Object.keys(ASSETS)
    .filter(isAsset)
    .map((name) => ({
      path: assetPath(name).slice('/assets'.length),
      content: contentOf(name),
      type: ASSETS[name][1],
      cacheControl: CACHE_CONTROL,
    }));
  return staticFiles(limits, files);
}

function isAsset(name: string): name is Asset {
  return Object.hasOwn(ASSETS, name);
}

function contentOf(name: Asset): Buffer {
  const known = contents.get(name);
  if (known !== undefined) return known;
  const content = readFileSync(ASSETS[name][0]);
  contents.set(name, content);
  return content;
}
