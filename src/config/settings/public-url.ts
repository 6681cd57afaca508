import type { SettingSource } from '../read-value.js';

const VARIABLE = 'PUBLIC_URL';
/** Matches paths whose segments every proxy passes on unchanged. */
const PATH = /^(?:\/[A-Za-z0-9._~-]+)*$/;
/** Matches paths that begin like the service's own paths, and would be confused with them. */
const OWN_PATH = /^\/(?:account|assets|docs|health|ledger|mcp|openapi|v\d[^/]*)(?:\/|$)/;

/**
 * Reads PUBLIC_URL, at which browsers reach the service. Links that the service creates begin with
 * it, and never with the host that a request names.
 * @returns the origin, and the path if the service is below one, without a slash at the end, or
 * null
 */
export function readPublicUrl(source: SettingSource, requireHttps: boolean): string | null {
  const text = source.valueOf(VARIABLE);
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !requireHttps);
  if (url !== null && isAllowed) {
    const path = url.pathname.replace(/\/$/, '');
    // The URL may consist only of origin and path, without a user, query or fragment.
    const isBare = url.href.replace(/\/$/, '') === url.origin + path;
    if (isBare && PATH.test(path) && !OWN_PATH.test(path)) return url.origin + path;
  }
  const schemes = requireHttps ? 'https://' : 'https:// or http://';
  const problem = `must be ${schemes} and a host, and may have a path such as /reports that is none of the service's own`;
  return source.invalid(VARIABLE, problem, 'https://reports.example.com', null);
}

/** @returns path below which the service is reached, such as `/reports`; empty if there is none */
export function basePathOf(publicUrl: string | null): string {
  return publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}
