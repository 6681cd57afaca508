import { isRecord } from '../../common/validation/is-record.js';
import type { ProblemKind } from './problems/upstream-problem.model.js';

export const UPSTREAM_STATES = ['active', 'paused'] as const;
export type UpstreamState = (typeof UPSTREAM_STATES)[number];

/** What a run reads of the list: the last 3 days, the last 90, or all of time. */
export const RUN_KINDS = ['recent', 'quarter', 'full'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/**
 * Records that are read one by one: a sale that was notified, one that the upstream did not know then, details of a
 * sale, and what sales name.
 */
export const READ_KINDS = ['notified', 'sought', 'detail', 'payment', 'relationship'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** Sales that notifications may ask for at a time. */
export const MAX_NOTIFIED = 1_000;
/** How often new sales are looked for, in seconds: a minute to a day. */
export const EVERY_SECONDS = { default: 300, least: 60, most: 86_400 } as const;

/** The words that the service has in place of `service` and `processor` in names of fields. */
export interface FieldWords {
  readonly service: string;
  readonly processor: string;
}
export const OWN_WORDS: FieldWords = { service: 'service', processor: 'processor' };

/** Another service of this interface that a vendor's ledger is filled from. Date-times in UTC. */
export interface Upstream {
  readonly id: number;
  readonly vendor_id: number;
  readonly url: string;
  readonly state: UpstreamState;
  /** The API key, encrypted. */
  readonly secret: string;
  /** Of the address for notifications, encrypted. */
  readonly token: string;
  /** JSON of FieldWords. */
  readonly words: string;
  readonly every_seconds: number;
  /** What somebody asked for, until it begins. */
  readonly wanted: RunKind | null;
  /** What is being read; null between runs. */
  readonly run: RunKind | null;
  readonly run_began: string | null;
  /** The days of the run. Null until the upstream has said when its first sale was. */
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** The last day that is still to be read; days are read newest first. */
  readonly next_day: string | null;
  /** Transactions that the run has read. */
  readonly listed: number;
  /** Transactions here that the upstream no longer has. */
  readonly missing: number;
  /** When runs of each kind ended. A longer one counts as the shorter ones, too. */
  readonly last_recent: string | null;
  readonly last_quarter: string | null;
  readonly last_full: string | null;
  /** When a run is to begin for notified sales that the upstream did not know; null if none is. */
  readonly seek_run: string | null;
  /** When the last such run began. */
  readonly last_seek: string | null;
  /** When the next part of the recurring payments is read again; null at once. */
  readonly payments_next: string | null;
  /** The last key of the round of recurring payments that is going on; null between rounds. */
  readonly payments_after: string | null;
  /** How many the round has come to, and of how many. */
  readonly payments_seen: number;
  readonly payments_total: number;
  /** The number of rounds that ended. */
  readonly payments_round: number;
  /** When the last round began. */
  readonly last_payments: string | null;
  /** Before it, nothing is to be done unless somebody asks. */
  readonly next_try: string;
  /** In a row. */
  readonly failures: number;
  /** Why the upstream cannot be read now, for people. */
  readonly problem: string | null;
  /** Who reads now, and until when nobody else may. */
  readonly claim: string | null;
  readonly claim_ends: string | null;
  readonly created: string;
}

/** Something that is to be read by itself. */
export interface UpstreamRead {
  readonly upstream_id: number;
  readonly kind: ReadKind;
  readonly record_key: string;
  /** The date of the sale: newest first. */
  readonly sale_date: string;
  readonly failures: number;
  readonly next_try: string;
}

/** What names a read. */
export type ReadKey = Pick<UpstreamRead, 'kind' | 'record_key' | 'sale_date'>;

/** Reads of some kinds whose time has come. `now` is in UTC. */
export interface DueReads {
  readonly kinds: readonly ReadKind[];
  readonly now: string;
}

/** A read that is added, to be done at once unless it names another time. */
export type AddedRead = ReadKey & Partial<Pick<UpstreamRead, 'next_try'>>;

/** The upstream as its owner sees it. */
export type ShownUpstream = Omit<
  Upstream,
  | 'secret'
  | 'token'
  | 'words'
  | 'claim'
  | 'claim_ends'
  | 'seek_run'
  | 'last_seek'
  | 'payments_next'
  | 'payments_after'
  | 'payments_round'
> & {
  readonly words: FieldWords;
  /** Reads of single records that wait. */
  readonly waiting: number;
  /** The records that were not stored, or were changed before. */
  readonly problems: readonly ProblemKind[];
};

export function shownUpstream(
  upstream: Upstream,
  waiting: number,
  problems: readonly ProblemKind[],
): ShownUpstream {
  const { id, vendor_id, url, state, every_seconds, wanted, run, run_began } = upstream;
  const { first_day, last_day, next_day, listed, missing, next_try, failures } = upstream;
  const { last_recent, last_quarter, last_full, problem, created } = upstream;
  const { payments_seen, payments_total, last_payments } = upstream;
  return {
    id,
    vendor_id,
    url,
    state,
    words: wordsOf(upstream.words),
    every_seconds,
    wanted,
    run,
    run_began,
    first_day,
    last_day,
    next_day,
    listed,
    waiting,
    missing,
    last_recent,
    last_quarter,
    last_full,
    next_try,
    failures,
    problem,
    problems,
    created,
    payments_seen,
    payments_total,
    last_payments,
  };
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

/** The key of a relationship in the list of reads. */
export function pairKey(affiliate_id: number, product_id: number): string {
  return `${affiliate_id}/${product_id}`;
}

/** There is no such upstream of this vendor. */
export class UnknownUpstreamError extends Error {}

/** The message names what cannot be used. */
export class UnusableUpstreamError extends Error {}
