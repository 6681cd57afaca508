import type { SettingSource } from '../read-value.js';

const VARIABLE = 'PUBLIC_URL';

/**
 * Reads PUBLIC_URL: where browsers reach the service. The links that it hands out begin with it, and never
 * with what a request calls itself.
 * @returns the origin, without a slash at the end, or null
 */
export function readPublicUrl(source: SettingSource, requireHttps: boolean): string | null {
  const text = source.valueOf(VARIABLE);
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !requireHttps);
  // No path, user or query: the origin is all there is.
  if (url !== null && isAllowed && url.href === `${url.origin}/`) return url.origin;
  const schemes = requireHttps ? 'https://' : 'https:// or http://';
  const problem = `must be ${schemes} and a host, without a path`;
  return source.invalid(VARIABLE, problem, 'https://reports.example.com', null);
}
