import { codeOf } from '../../../common/errors/is-error.js';
import type { Principal } from '../../accounts/account.model.js';
import type { Verdict } from '../import.model.js';
import type { RecordType } from '../../../ledger-format/record-type.js';

/** Limits of a request (ledger interface: Records in). */
export const MAX_RECORDS = 10_000;
export const MAX_RECORDS_ATOMIC = 2_000;
export const MAX_BODY_MIB = 32;
export const MAX_RECORD_KIB = 256;
/** How long a body may take to arrive. */
export const BODY_SECONDS = 120;

/** What arrives: the bytes are unpacked, and end with an error if the client breaks off. */
export interface IncomingBody {
  readonly bytes: AsyncIterable<Buffer>;
  /** `lines` has a record on each line; `json` is one record, or a list of them. */
  readonly format: 'lines' | 'json';
}

/** Who sends records. */
export interface RecordsSender {
  readonly principal: Principal;
  /** The only vendor whose records may change; null for all. */
  readonly vendor_id: number | null;
}

/** What became of a record. */
export interface RecordResult {
  /** From 1. */
  readonly line: number;
  /** Null if it cannot be read. */
  readonly type: RecordType | null;
  /** What names the record: its id, ids or transaction_id; null if it has none. */
  readonly key: string | null;
  readonly verdict: Verdict;
  /** Why it was rejected, or a warning. */
  readonly problem: string | null;
}

/** Records that are sent have no place to wait. */
export class UnusableSpoolError extends Error {
  override readonly name = this.constructor.name;

  constructor(cause: unknown) {
    const code = codeOf(cause) ?? 'unknown reason';
    super(`RECORDS_SPOOL_FOLDER: the folder cannot be written (${code}).`, { cause });
  }
}
