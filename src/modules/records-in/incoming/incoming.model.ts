import { ApiError } from '../../../api/errors/api-error.js';
import { StartError } from '../../../platform/errors/domain-error.js';
import { codeOf } from '../../../platform/errors/is-error.js';
import type { Principal } from '../../../api/access/principal.js';
import type { Verdict } from '../batches/batch-run.js';
import type { RecordType } from '../../../ledger/records/record-type.js';
import type { LineOutcome } from '../batches/record-batches.js';

/** A request must stay within these limits. See docs/records.md#what-to-send. */
export const MAX_RECORDS = 10_000;
export const MAX_RECORDS_ATOMIC = 2_000;
export const MAX_BODY_MIB = 32;
export const MAX_RECORD_KIB = 256;
/** The whole body must arrive within this time. */
export const BODY_SECONDS = 120;

/**
 * Holds the body of a request. The bytes are unpacked, and end with an error if the client
 * disconnects.
 */
export interface IncomingBody {
  readonly bytes: AsyncIterable<Buffer>;
  /** `lines` is one record on each line; `json` is one record or a list of records. */
  readonly format: 'lines' | 'json';
}

/** Identifies the sender of records, with its rights. */
export interface RecordsSender {
  readonly principal: Principal;
  /** The only vendor whose records may change; null for all. */
  readonly vendor_id: number | null;
}

/** Holds the result of a record. */
export interface RecordResult {
  /** Number of the line, or position in the list, from 1. */
  readonly line: number;
  /** Type of the record; null if it cannot be read. */
  readonly type: RecordType | null;
  /** Key of the record: its id, ids or `transaction_id`; null if it has none. */
  readonly key: string | null;
  readonly verdict: Verdict;
  /** Reason of the rejection, or a warning; null if there is none. */
  readonly problem: string | null;
}

/** Thrown if the folder in which records wait cannot be written. */
export class UnusableSpoolError extends StartError {
  constructor(cause: unknown) {
    const code = codeOf(cause) ?? 'unknown reason';
    super(`RECORDS_SPOOL_FOLDER: the folder cannot be written (${code}).`, { cause });
  }
}

/** A problem has at most this many characters, so that the answer to 10,000 records stays small. */
const MAX_PROBLEM = 500;

/** Converts the outcome of a line into the result that its sender receives. */
export function resultOf(outcome: LineOutcome): RecordResult {
  const { line, type, key, verdict } = outcome;
  const told = outcome.problem ?? outcome.warning;
  const problem = told === undefined ? null : shortened(told);
  return { line, type: type === 'unreadable' ? null : type, key, verdict, problem };
}

export function shortened(text: string): string {
  return text.length > MAX_PROBLEM ? `${text.slice(0, MAX_PROBLEM).toWellFormed()}…` : text;
}

/** Returns the error for a body that cannot be accepted as a whole. */
export function refusedBody(problem: string): ApiError {
  return new ApiError('bad_request', `${problem} Nothing was written.`);
}
