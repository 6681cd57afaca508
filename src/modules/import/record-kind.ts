import type { Stored } from '../../ledger-format/overruled-fields.js';
import type { RecordFields } from '../../ledger-format/record-fields.js';
import type { RecordChange, Versioned } from '../../ledger-format/record-version.js';
import type { RecordType } from '../../ledger-format/record-type.js';
import type { AuditedChange, BatchRun, References, SinceLine } from './batch-run.js';

/** How the records of one type are applied. One is made for each batch. */
export interface RecordKind<Content extends object> {
  readonly type: RecordType;
  read(fields: RecordFields): Content;
  /** Makes a record storable that may be stored in part. @param before the state of the record before it */
  fitted?(content: Content, before: Content | undefined): Fitted<Content>;
  /** Finds what is odd in a record that is accepted, as `field: problem`. */
  warningsOf?(content: Content, before: Content | undefined): string[];
  identity(content: Content): string;
  /** Adds what a record refers to. */
  addReferences?(content: Content, references: References): void;
  /** The stored records among these, locked if others may change them. */
  stored(run: BatchRun, contents: readonly Content[]): Promise<readonly Stored<Content>[]>;
  /** Locks the vendors of records with personal data, and reads what may be kept of it. */
  keptOf?(run: BatchRun, contents: readonly Content[]): Promise<Kept<Content>>;
  /** Why the record is rejected at that line, as `field: problem`, or null. */
  problem(
    content: Content,
    line: number,
    run: BatchRun,
    before: Content | undefined,
  ): string | null;
  /** What becomes of the record of a source that may change only this vendor's records. */
  forVendor(
    content: Content,
    at: LineOfVendor,
    run: BatchRun,
    before: Content | undefined,
  ): Permission<Content>;
  /** Adds what exists since a line to the run, for the records that refer to it. */
  addToRun?(content: Content, since: SinceLine, run: BatchRun): void;
  /** The identities of this type that lines of a batch refer to. */
  referredTo?(references: References): Iterable<string>;
  /** The vendor of an accepted record, if records of this type may not move to another vendor. */
  vendorOf?(content: Content, run: BatchRun): number;
  /** Sets the vendor of a record that an earlier batch of a dry run would have stored. */
  setDryRunVendor?(identity: string, vendor_id: number): void;
  /** The audit entry for a change of a stored record, or null if it needs none. */
  audited?(before: Content, after: Content): AuditedChange | null;
  /** Takes an accepted record that is not stale. */
  accepted?(content: Content, run: BatchRun): void;
  /** Runs after all records of this type are accepted or rejected, and before they are saved. */
  prepare?(run: BatchRun): Promise<void>;
  save(run: BatchRun, changes: readonly Change<Content>[]): Promise<void>;
  /** Raises the versions of stored records, and changes nothing else. */
  raiseVersions(run: BatchRun, records: readonly Versioned<Content>[]): Promise<void>;
  /** Runs after the records of this type, and of the types before it, are saved. */
  conclude?(run: BatchRun): Promise<void>;
}

/** A record that can be stored, and what was changed in it, as `field: change`. */
export interface Fitted<Content extends object> {
  readonly record: Content;
  readonly warnings: readonly string[];
}

/** A record without what may not be kept. @param before the state of the record before it */
export type Kept<Content extends object> = (
  content: Content,
  before: Content | undefined,
) => Content;

/** A line of a source that may change only this vendor's records. */
export interface LineOfVendor {
  readonly line: number;
  readonly vendor_id: number;
  readonly record_version: number | null;
}

/** What to apply of a record, why it is rejected, or why the stored record stays as it is. */
export type Permission<Content extends object> =
  | { readonly apply: Content }
  | { readonly reject: string }
  | { readonly keep: string; readonly verdict: 'unchanged' | 'stale' };

/** What to store, and what is stored now, if anything. */
export type Change<Content extends object> = Stored<Content> & RecordChange<Content>;

/** Stored records of a type that the interface cannot change. */
export function neverOverruled<Content extends object>(
  records: readonly Versioned<Content>[],
): Stored<Content>[] {
  return records.map(({ content, record_version }) => {
    return { content, overruled: null, record_version };
  });
}
