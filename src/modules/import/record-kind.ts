import type { Overruled, Stored } from '../../ledger-format/overruled.js';
import type { RecordFields } from '../../ledger-format/record-fields.js';
import type { RecordType } from '../../ledger-format/record-type.js';
import type { AuditedChange, BatchRun, References, SinceLine } from './batch-run.js';

/** How the records of one type are applied. One is made for each batch. */
export interface RecordKind<Content extends object> {
  readonly type: RecordType;
  read(fields: RecordFields): Content;
  identity(content: Content): string;
  /** Notes what a record refers to. */
  noteReferences?(content: Content, references: References): void;
  /** The stored records among these. Those that others may change are locked. */
  stored(run: BatchRun, contents: readonly Content[]): Promise<readonly Stored<Content>[]>;
  /** Why the record can't be taken at that line, as `field: problem`, or null. */
  refusal(
    content: Content,
    line: number,
    run: BatchRun,
    before: Content | undefined,
  ): string | null;
  /** Notes that something exists since a line, for the records that refer to it. */
  noteExistence?(content: Content, since: SinceLine, run: BatchRun): void;
  /** The identities of this type that lines of a batch refer to. */
  referredTo?(references: References): Iterable<string>;
  /** The vendor of a record that can be stored, where it may not move to another vendor. */
  vendorOf?(content: Content, run: BatchRun): number;
  /** Notes the vendor of a record that a dry run would have stored. */
  noteVendor?(identity: string, vendor_id: number): void;
  /** The entry of the audit log for a change of a stored record, or null where there is none. */
  audited?(before: Content, after: Content): AuditedChange | null;
  save(run: BatchRun, changes: readonly Change<Content>[]): Promise<void>;
  /** What is left to do after the records of this type, and of the types before it. */
  conclude?(run: BatchRun): Promise<void>;
}

export interface Change<Content> {
  /** What is stored, if anything. */
  readonly before: Content | undefined;
  readonly after: Content;
  /** What the interface has changed of it, which the record left alone. */
  readonly overruled: Overruled;
}
