import { compiledPicker } from '../../../platform/values/record-of.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { isRecord } from '../../../platform/values/is-record.js';
import type { ProblemKind } from './upstream-problem.model.js';
import type { UpstreamReadRow, UpstreamRow } from './upstream.entity.js';

export const UPSTREAM_STATES = ['active', 'paused'] as const;
export type UpstreamState = (typeof UPSTREAM_STATES)[number];

/** A run reads the last 3 days of the list, the last 90 days, or everything. */
export const RUN_KINDS = ['recent', 'quarter', 'full'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/**
 * Records of these kinds are read one by one: a notified sale, a notified sale that the upstream
 * did not know at first, details of a sale, and the subscription and affiliate terms that a sale
 * names.
 */
export const READ_KINDS = ['notified', 'sought', 'detail', 'payment', 'relationship'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** At most this many notified sales wait to be read. */
export const MAX_NOTIFIED = 1_000;
/** New sales are looked for at this interval in seconds, from a minute to a day. */
export const EVERY_SECONDS = { default: 300, least: 60, most: 86_400 } as const;

/** Holds the words of the upstream in place of `service` and `processor` in names of fields. */
export interface FieldWords {
  readonly service: string;
  readonly processor: string;
}
export const OWN_WORDS: FieldWords = { service: 'service', processor: 'processor' };

/**
 * Describes another service with the same API from which a vendor's ledger is filled. Its
 * date-times are in UTC. The process with the lease reads from it.
 */
export interface Upstream extends UpstreamRow {
  readonly state: UpstreamState;
  readonly wanted: RunKind | null;
  readonly run: RunKind | null;
}

/** Describes a single record that waits to be read. */
export interface UpstreamRead extends UpstreamReadRow {
  readonly kind: ReadKind;
}

/** Identifies a read, with the date of its sale. */
export type ReadKey = Pick<UpstreamRead, 'kind' | 'record_key' | 'sale_date'>;

/** Selects the due reads of some kinds. `now` is in UTC. */
export interface DueReads {
  readonly kinds: readonly ReadKind[];
  readonly now: string;
}

/** Describes a read to add. It is due at once unless it has another time. */
export type AddedRead = ReadKey & Partial<Pick<UpstreamRead, 'next_try'>>;

const shownFieldsOf = compiledPicker([
  'id',
  'vendor_id',
  'url',
  'state',
  'words',
  'every_seconds',
  'wanted',
  'run',
  'run_began',
  'first_day',
  'last_day',
  'next_day',
  'listed',
  'waiting',
  'missing',
  'last_recent',
  'last_quarter',
  'last_full',
  'next_try',
  'failures',
  'problem',
  'problems',
  'created',
  'payments_seen',
  'payments_total',
  'last_payments',
]);

/** Holds the fields of an upstream that its owner sees. */
export type ShownUpstream = ReturnType<typeof shownUpstream>;

/**
 * Returns the fields that the owner sees.
 * @param waiting number of reads of single records that wait
 * @param problems records that were not read, not stored, or changed before they were stored
 */
export function shownUpstream(
  upstream: Upstream,
  waiting: number,
  problems: readonly ProblemKind[],
) {
  return shownFieldsOf({ ...upstream, words: wordsOf(upstream.words), waiting, problems });
}

export function wordsOf(json: string): FieldWords {
  const words: unknown = JSON.parse(json);
  if (!isRecord(words)) throw new Error('the words of an upstream are no object');
  const { service, processor } = words;
  if (typeof service !== 'string' || typeof processor !== 'string') {
    throw new Error('a word of an upstream is no text');
  }
  return { service, processor };
}

/** Returns the key of affiliate terms in the list of reads. */
export function pairKey(affiliate_id: number, product_id: number): string {
  return `${affiliate_id}/${product_id}`;
}

/** Thrown if there is no such upstream, or it is another vendor's. */
export class UnknownUpstreamError extends DomainError {}

/** Thrown if an upstream cannot be used; the message gives the reason. */
export class UnusableUpstreamError extends DomainError {}
