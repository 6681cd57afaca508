import { createHash } from 'node:crypto';
import { ApiError } from '../../api/errors/api-error.js';

/** Number of characters that identify a query in its cursors. */
const HASH_LENGTH = 16;
const MAX_LENGTH = 6_144;

/** Identifies a query, whose cursors no other query accepts. */
export interface QueryIdentity {
  readonly vendor_id: number;
  readonly operation: string;
  /** Filters and order in one form for each meaning. */
  readonly parameters: object;
}

type Place = string | number | null;

/**
 * Formats a place in the results of a query as text. The text has no secret and no key, so that it
 * never expires: a changed place shows nothing but other results of the same query.
 */
export function queryCursorOf(query: QueryIdentity, place: readonly Place[]): string {
  return Buffer.from(JSON.stringify([hashOf(query), ...place])).toString('base64url');
}

/**
 * Parses a cursor.
 * @returns the place that the cursor names, which still has to be checked
 * @throws ApiError invalid_parameters if the text is no cursor, or a cursor of another query
 */
export function placeInQuery(query: QueryIdentity, text: string): readonly Place[] {
  const [hash, ...place] = placesIn(text);
  if (typeof hash !== 'string' || hash.length !== HASH_LENGTH) throw noCursor();
  if (hash !== hashOf(query)) {
    const detail =
      'after belongs to another query. Send a cursor with the filters and the order of the query that returned it.';
    throw new ApiError('invalid_parameters', detail);
  }
  return place;
}

/** Returns the error for a text that is no cursor. */
export function noCursor(): ApiError {
  return new ApiError('invalid_parameters', 'after must be the next_cursor of a page.');
}

function placesIn(text: string): readonly Place[] {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) throw noCursor();
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(value) ? value.filter(isPlace) : [];
  } catch {
    throw noCursor();
  }
}

function isPlace(value: unknown): value is Place {
  return value === null || typeof value === 'string' || Number.isSafeInteger(value);
}

function hashOf({ vendor_id, operation, parameters }: QueryIdentity): string {
  const sorted = Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([vendor_id, operation, sorted]);
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}
