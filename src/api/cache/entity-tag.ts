import { hash } from 'node:crypto';
import type { ContentCoding } from '../envelope/content-coding.js';
import type { Response } from 'express';
import { SendableAnswer } from '../envelope/rendered-answer.js';

/**
 * Version of the format. Raise it when the JSON of the same data changes, so that no client keeps
 * the old one.
 */
const FORMAT = 2;
const LENGTH = 22;

/** Holds the properties that identify an answer. */
export interface Tagged {
  /** Path and query. */
  readonly url: string;
  readonly user_id: number;
  /** The part of the data that the caller sees, or null for everything. */
  readonly view: string | null;
  readonly revision: number;
  readonly coding: ContentCoding | null;
  /** The name of the variant, or null for the usual answer. */
  readonly variant: string | null;
}

/** Returns the value of ETag, different for every answer (RFC 9110, 8.8.3). */
export function tagOf({ url, user_id, view, revision, coding, variant }: Tagged): string {
  const seen = view === null ? url : `${url} ${view}`;
  const name = hash('sha256', `${FORMAT} ${user_id} ${revision} ${seen}`, 'base64url');
  const marks = [variant, coding].filter((mark) => mark !== null);
  return `"${[name.slice(0, LENGTH), ...marks].join('-')}"`;
}

/**
 * Returns true if If-None-Match lists the tag. A proxy that compresses may have made it weak; weak
 * comparison applies (RFC 9110, 13.1.2). `*` matches every tag.
 */
export function matchesIfNoneMatch(known: string, tag: string): boolean {
  if (known.trim() === '*') return true;
  return known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}

/** Sends a 304 response (RFC 9110, 15.4.5). */
export class NotModified extends SendableAnswer {
  constructor(private readonly tag: string) {
    super();
  }

  override send(response: Response): void {
    response.statusCode = 304;
    response.setHeader('ETag', this.tag);
    response.setHeader('Vary', 'Accept-Encoding');
    response.end();
  }
}
