import { hash } from 'node:crypto';
import type { ContentCoding } from '../common/envelope/content-coding.js';

/** To be raised whenever the same data is written otherwise, so that no client keeps the old form. */
const FORM = 2;
const LENGTH = 22;

/** What a tag names: an answer of an address to a user at a revision, in one of its forms. */
export interface Tagged {
  /** Path and query. */
  readonly url: string;
  readonly user_id: number;
  readonly revision: number;
  readonly coding: ContentCoding | null;
  /** The name of the answer's variant, or null for the usual answer. */
  readonly variant: string | null;
}

/** The value of ETag: another one for every answer (RFC 9110, 8.8.3). */
export function tagOf({ url, user_id, revision, coding, variant }: Tagged): string {
  const name = hash('sha256', `${FORM} ${user_id} ${revision} ${url}`, 'base64url');
  const marks = [variant, coding].filter((mark) => mark !== null);
  return `"${[name.slice(0, LENGTH), ...marks].join('-')}"`;
}

/**
 * Whether a tag is among those of If-None-Match. A proxy that compresses may have made it a weak one,
 * which tells the same (RFC 9110, 13.1.2); `*` is every tag.
 */
export function matchesIfNoneMatch(known: string, tag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
