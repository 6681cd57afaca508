import { hash } from 'node:crypto';
import type { ContentCoding } from '../../../common/envelope/content-coding.js';

/** To be raised whenever the same data is written otherwise, so that no client keeps the old form. */
const FORM = 1;
const LENGTH = 22;

/**
 * The value of ETag: another one for every address, user, revision and coding (RFC 9110, 8.8.3).
 * @param url path and query
 */
export function tagOf(
  url: string,
  user_id: number,
  revision: number,
  coding: ContentCoding | null,
): string {
  const name = hash('sha256', `${FORM} ${user_id} ${revision} ${url}`, 'base64url');
  return `"${name.slice(0, LENGTH)}${coding === null ? '' : `-${coding}`}"`;
}

/**
 * Whether a tag is among those of If-None-Match. A proxy that compresses may have made it a weak one,
 * which tells the same (RFC 9110, 13.1.2); `*` is every tag.
 */
export function isOneOf(known: string, tag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
