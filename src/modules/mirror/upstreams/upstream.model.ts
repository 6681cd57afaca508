import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Held } from '../../../platform/jobs/lease.js';
import { compiledPicker } from '../../../platform/values/record-of.js';
import { isRecord } from '../../../platform/values/is-record.js';
import type { UpstreamReadRow, UpstreamRow } from './upstream.entity.js';

export type UpstreamState = 'active' | 'paused';

/** A run reads the last 3 days of the list, the last 90 days, or everything. */
export type RunKind = 'recent' | 'quarter' | 'full';

/**
 * Records of these kinds are read one by one: a notified sale, a notified sale that the upstream
 * did not know at first, details of a sale, and the subscription and affiliate terms that a sale
 * names.
 */
export type ReadKind = 'notified' | 'sought' | 'detail' | 'payment' | 'relationship';

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

/** Thrown if a new upstream does not answer, or rejects the key. */
export class UnreachableUpstreamError extends UnusableUpstreamError {
  /** @param field what is probably wrong */
  constructor(
    readonly field: 'url' | 'key',
    message: string,
  ) {
    super(message);
  }
}

/** These texts name the range of each kind of run. */
export const RUN_NAMES = {
  recent: 'the last 3 days',
  quarter: 'the last 90 days',
  full: 'everything',
} as const satisfies Record<RunKind, string>;

type Run = Pick<ShownUpstream, 'run' | 'first_day' | 'last_day' | 'next_day'>;

/**
 * Counts the calendar months that a run has read, of all months that it reads. Days are read newest
 * first, so those up to `next_day` are still to be read.
 * @returns null between runs, and while the date of the upstream's first sale is unknown
 */
export function monthsReadOf({ run, first_day, last_day, next_day }: Run) {
  if (run === null || first_day === null || last_day === null) return null;
  const all = monthNumberOf(last_day) - monthNumberOf(first_day) + 1;
  // The details of sales are read after their days.
  if (next_day === null || next_day < first_day) return { done: all, all };
  const left = monthNumberOf(next_day) - monthNumberOf(first_day) + 1;
  return { done: Math.max(0, all - left), all };
}

/** Returns the progress of an upstream in words. */
export function progressTextOf(
  upstream: Run & Pick<ShownUpstream, 'wanted' | 'state' | 'problems'>,
): string {
  const { run, wanted, state, problems } = upstream;
  const months = monthsReadOf(upstream);
  if (months !== null) {
    return `${months.done} of ${months.all} ${months.all === 1 ? 'month' : 'months'}`;
  }
  const kind = run ?? wanted;
  if (kind === null) {
    return problems.length === 0 ? 'up to date' : `read, with ${problemsTextOf(problems)}`;
  }
  if (state === 'paused') return `once resumed, to read ${RUN_NAMES[kind]}`;
  return run === null ? `about to read ${RUN_NAMES[kind]}` : 'looking for the first sale';
}

function monthNumberOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}

/**
 * Describes a record that was not read from an upstream, not stored, or changed before it was
 * stored.
 */
export interface UpstreamProblem {
  /** The record, such as `transaction 4711`. It has at most one problem of each kind. */
  readonly subject: string;
  /**
   * A kind such as `transaction not stored: amount`. It contains no value of the upstream, so it
   * may be logged.
   */
  readonly kind: string;
  /** The text for users. It may quote the upstream, so it must not be logged. */
  readonly text: string;
  /**
   * The day of the sale if a list of sales shows the problem; see
   * `UpstreamsRepository.settleProblems`.
   */
  readonly day?: string;
}

/** Describes changes of the problems of an upstream. */
export interface ProblemChanges {
  /** Subjects that were read again, so that their earlier problems are removed. */
  readonly checked: readonly string[];
  readonly found: readonly UpstreamProblem[];
}

/** Summarizes the problems of one kind. */
export interface ProblemKind {
  readonly kind: string;
  readonly count: number;
  /** The text of the first problem; null if it was removed because a person was erased. */
  readonly example: string | null;
}

/**
 * At most this many problems of an upstream are stored. Beyond that, only one of each further kind
 * is stored.
 */
const MAX_PROBLEMS = 10_000;

function problemCountOf(kinds: readonly ProblemKind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the number of problems in words, such as `17 problems`. */
function problemsTextOf(kinds: readonly ProblemKind[]): string {
  const count = problemCountOf(kinds);
  if (count === 1) return '1 problem';
  return `${count >= MAX_PROBLEMS ? 'at least ' : ''}${count.toLocaleString('en')} problems`;
}

/** Returns a text that is different for each subject and kind. */
export function nameOfProblem({ subject, kind }: Pick<UpstreamProblem, 'subject' | 'kind'>) {
  return `${kind}\n${subject}`;
}

/**
 * Returns each problem once, up to the maximum, and the first one of each new kind.
 * @param stored the problems that are stored already
 */
export function storableProblems(
  found: readonly UpstreamProblem[],
  stored: readonly ProblemKind[],
): UpstreamProblem[] {
  const distinct = new Map(found.map((problem) => [nameOfProblem(problem), problem]));
  const kinds = new Set(stored.map(({ kind }) => kind));
  let room = MAX_PROBLEMS - problemCountOf(stored);
  return [...distinct.values()].filter(({ kind }) => {
    const isFitting = room > 0 || !kinds.has(kind);
    kinds.add(kind);
    if (isFitting) room -= 1;
    return isFitting;
  });
}

/**
 * An upstream, after the last write, from which this process may read and whose records it may
 * write. One process at a time may do so.
 */
export type UpstreamTurn = Held<Upstream>;

/** Describes the changes that are written together with the records, in the same transaction. */
export interface TurnChanges {
  readonly upstream?: Partial<Upstream>;
  /** Reads that are added. */
  readonly added?: readonly AddedRead[];
  /** Reads that are done. */
  readonly done?: readonly UpstreamRead[];
  /** Reads that failed and are tried again later. */
  readonly postponed?: readonly UpstreamRead[];
  /** Subjects that were read besides `done`, and the problems that were found. */
  readonly problems?: Partial<ProblemChanges>;
  /** The run that ends. Problems of its days that it did not find again are removed. */
  readonly ended?: Pick<Upstream, 'run' | 'run_began' | 'first_day'>;
}

/** Returns the subject of the problems of a read. A `sought` sale was notified before. */
export function subjectOfRead({ kind, record_key }: Pick<ReadKey, 'kind' | 'record_key'>): string {
  return `${kind === 'sought' ? 'notified' : kind} ${record_key}`;
}
