import { PERSONAL_OPERATIONS } from '../../../api/access/personal-reads.js';
import type { KeptReads } from '../privacy.entity.js';

/** Reads are kept for this many days. */
export const KEPT_DAYS = 90;

const TEXTS: ReadonlyMap<string, string> = new Map(Object.entries(PERSONAL_OPERATIONS));

/**
 * Returns the text of an operation for the account pages.
 * @param titles texts of the operations of extensions
 * @returns the name itself if an earlier version or a removed extension has written it
 */
export function operationText(operation: string, titles: ReadonlyMap<string, string>): string {
  return TEXTS.get(operation) ?? titles.get(operation) ?? operation;
}

/**
 * Returns true if a read without keys is that of a list. An operation of an extension whose path
 * names no record may show a single one.
 */
export function isOfList({ operation, first_day }: KeptReads): boolean {
  return TEXTS.has(operation) || first_day !== null;
}

export type { KeptReads } from '../privacy.entity.js';

/**
 * A read records who read which personal data of a vendor's customers. It has ids and numbers, but
 * no data of the customers.
 */
export interface PersonalRead extends Omit<
  KeptReads,
  'read_at' | 'writer' | 'number' | 'record_keys' | 'times'
> {
  /** The transaction_id or the key of the subscription. Null for a list. */
  readonly record_key: string | null;
}

const BESIDE_KEYS = '\n';

/**
 * Returns the keys as one text, with a separator before and after each key. A search for the text
 * of one key thus finds only whole keys.
 */
export function textOfKeys(keys: Iterable<string>): string {
  return [
    BESIDE_KEYS,
    ...Array.from(keys, (key) => key.replaceAll(BESIDE_KEYS, ' ') + BESIDE_KEYS),
  ].join('');
}

export function keysOf({ record_keys }: Pick<KeptReads, 'record_keys'>): string[] {
  return record_keys === null ? [] : record_keys.split(BESIDE_KEYS).slice(1, -1);
}

/** This position orders reads by time. */
export type ReadPosition = Pick<KeptReads, 'read_at' | 'writer' | 'number'>;

/** A page has a part of the reads, newest first. */
export interface ReadsPage {
  readonly reads: readonly KeptReads[];
  /**
   * Position where the next page begins, or null on the last page. A page ends early if it has read
   * many rows without a match.
   */
  readonly next: ReadPosition | null;
}

/** These criteria select reads of the data of a vendor's customers. */
export interface ReadsCriteria {
  readonly vendor_id: number;
  /** First and last day in UTC, both included. Null for no bound. */
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** Selects only reads of this record and of lists that may contain it. Null for all. */
  readonly record: RecordOfReads | null;
}

export interface RecordOfReads {
  readonly record_key: string;
  /**
   * Days of the sale and of the refund, on which lists contain the record. Empty if they are
   * unknown.
   */
  readonly days: readonly string[];
}
