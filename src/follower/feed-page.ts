import { isRecord } from '../common/validation/is-record.js';
import type { Content } from './copy-tables.js';
import { FollowError } from './follow-error.js';

export interface Change {
  readonly sequence: number;
  readonly kind: string;
  readonly content: Content;
}

/** A page of the feed of changes (docs/changes.md). */
export interface FeedPage {
  readonly changes: readonly Change[];
  readonly cursor: string;
  readonly has_more: boolean;
}

/** @throws FollowError if the answer is not a page that follows the cursor */
export function feedPageOf(answer: unknown, after: string): FeedPage {
  if (!isRecord(answer) || !isRecord(answer.meta) || !Array.isArray(answer.results)) throw noPage();
  const { cursor, has_more } = answer.meta;
  if (typeof cursor !== 'string' || typeof has_more !== 'boolean') throw noPage();
  const changes = answer.results.map(changeOf);
  let last = Number(after);
  for (const { sequence } of changes) {
    if (sequence <= last) throw new FollowError('the service sent changes out of their order');
    last = sequence;
  }
  if (!(Number(cursor) >= last)) throw new FollowError('the service sent a cursor that goes back');
  return { changes, cursor, has_more };
}

function changeOf(result: unknown): Change {
  if (!isRecord(result)) throw noPage();
  const { sequence, kind } = result;
  if (typeof sequence !== 'number' || typeof kind !== 'string') throw noPage();
  const content = result[kind];
  if (!isRecord(content)) throw noPage();
  return { sequence, kind, content };
}

function noPage(): FollowError {
  return new FollowError('the service sent something that is no page of changes');
}
