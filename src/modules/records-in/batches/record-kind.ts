import type { RecordChange, Stored } from '../../../ledger/records/overruled-fields.js';
import type { RecordFields } from '../../../ledger/records/record-fields.js';
import type { Versioned } from '../../../ledger/records/record-version.js';
import type { RecordType } from '../../../ledger/records/record-type.js';
import type { AuditedChange, BatchRun, References, SinceLine } from './batch-run.js';

/** Defines how the records of one type are applied. A new object is created for each batch. */
export interface RecordKind<Content extends object> {
  readonly type: RecordType;
  read(fields: RecordFields): Content;
  /**
   * Makes a record storable if only a part of it can be stored.
   * @param before the state before this record
   */
  fitted?(content: Content, before: Content | undefined): Fitted<Content>;
  /** Returns warnings about an accepted record, as `field: problem`. */
  warningsOf?(content: Content, before: Content | undefined): string[];
  identity(content: Content): string;
  /** Adds what a record refers to. */
  addReferences?(content: Content, references: References): void;
  /** Returns the records of the batch that are stored, locked if others may change them. */
  stored(run: BatchRun, contents: readonly Content[]): Promise<readonly Stored<Content>[]>;
  /**
   * Locks the vendors of records with personal data, and decides which personal data may be kept.
   */
  keptOf?(run: BatchRun, contents: readonly Content[]): Promise<Kept<Content>>;
  /** Returns the reason, as `field: problem`, why the record is rejected at that line, or null. */
  problem(
    content: Content,
    line: number,
    run: BatchRun,
    before: Content | undefined,
  ): string | null;
  /** Decides whether a source that may change only this vendor's records may apply the record. */
  forVendor(
    content: Content,
    at: LineOfVendor,
    run: BatchRun,
    before: Content | undefined,
  ): Permission<Content>;
  /** Adds the record to the run as existing since that line, for records that refer to it. */
  addToRun?(content: Content, since: SinceLine, run: BatchRun): void;
  /** Returns the identities of this type that lines of a batch refer to. */
  referredTo?(references: References): Iterable<string>;
  /**
   * Returns the vendor of an accepted record. Only types whose records may not move to another
   * vendor define it.
   */
  vendorOf?(content: Content, run: BatchRun): number;
  /** Sets the vendor of a record that an earlier batch of a dry run would have stored. */
  setDryRunVendor?(identity: string, vendor_id: number): void;
  /** Returns the audit entry for a change of a stored record, or null if it needs none. */
  audited?(before: Content, after: Content): AuditedChange | null;
  /** Handles an accepted record that is not stale. */
  accepted?(content: Content, run: BatchRun): void;
  /** Runs after all records of this type are accepted or rejected, and before they are saved. */
  prepare?(run: BatchRun): Promise<void>;
  save(run: BatchRun, changes: readonly RecordChange<Content>[]): Promise<void>;
  /** Raises the versions of stored records and changes nothing else. */
  raiseVersions(run: BatchRun, records: readonly Versioned<Content>[]): Promise<void>;
  /** Runs after the records of this type, and of the types before it, are saved. */
  conclude?(run: BatchRun): Promise<void>;
}

/** Holds a storable record and the changes that made it storable, as `field: change`. */
export interface Fitted<Content extends object> {
  readonly record: Content;
  readonly warnings: readonly string[];
}

/**
 * Returns the record without the data that may not be kept.
 * @param before the state before this record
 */
export type Kept<Content extends object> = (
  content: Content,
  before: Content | undefined,
) => Content;

/** Identifies a line of a source that may change only this vendor's records. */
export interface LineOfVendor {
  readonly line: number;
  readonly vendor_id: number;
  readonly record_version: number | null;
}

/**
 * Holds the content to apply, the reason to reject the record, or the reason to keep the stored
 * record as it is.
 */
export type Permission<Content extends object> =
  | { readonly apply: Content }
  | { readonly reject: string }
  | { readonly keep: string; readonly verdict: 'unchanged' | 'stale' };
