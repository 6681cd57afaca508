import type { SettingSource } from '../read-value.js';

const VARIABLE = 'PUBLIC_URL';
/** Segments that every proxy passes on as they are. */
const PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/;
/** The service has paths of its own that begin with these, so a path below them would be ambiguous. */
const OWN_PATH = /^\/(?:account|assets|docs|health|ledger|mcp|openapi|v\d[^/]*)(?:\/|$)/;

/**
 * Reads PUBLIC_URL: where browsers reach the service. The links that it hands out begin with it, and never
 * with what a request calls itself.
 * @returns the origin, and the path if the service is below one, without a slash at the end, or null
 */
export function readPublicUrl(source: SettingSource, requireHttps: boolean): string | null {
  const text = source.valueOf(VARIABLE);
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !requireHttps);
  if (url !== null && isAllowed) {
    const path = url.pathname.replace(/\/$/, '');
    // No user, query or fragment: the origin and the path are all there is.
    const isBare = url.href.replace(/\/$/, '') === url.origin + path;
    if (isBare && PATH.test(path) && !OWN_PATH.test(path)) return url.origin + path;
  }
  const schemes = requireHttps ? 'https://' : 'https:// or http://';
  const problem = `must be ${schemes} and a host, and may have a path such as /reports that is none of the service's own`;
  return source.invalid(VARIABLE, problem, 'https://reports.example.com', null);
}

/** @returns the path below which the service is reached, such as `/reports`; empty if there is none */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
