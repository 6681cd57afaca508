import type { RecordFields } from './record-fields.js';
import type { Session } from '../database/database.js';
import type { AuditEntry } from '../modules/audit/audit.model.js';
import type { Stored } from './overruled.js';

/** The record types of a ledger file, in the order in which a batch is applied: referred to first. */
export const RECORD_TYPES = [
  'user',
  'product',
  'affiliation',
  'recurring_payment',
  'transaction',
  'clicks',
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export type Verdict = 'inserted' | 'updated' | 'unchanged' | 'rejected';

/** What became of a line; `problem` only where it was rejected, `warning` only where it was not. */
export interface LineVerdict {
  readonly verdict: Verdict;
  readonly problem?: string;
  readonly warning?: string;
}

export interface LedgerLine<Content> {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly content: Content;
}

/** Identities that the lines of a batch refer to. */
export class References {
  readonly users = new Set<number>();
  readonly products = new Set<number>();
  readonly pre_keys = new Set<string>();
}

/** The line since which something exists; in the database before the batch means 0. */
export type SinceLine = number;
export const BEFORE_THE_BATCH: SinceLine = 0;

/** A change of a stored record that a line made, as the audit log tells it. */
export type AuditedChange = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>;

/** What a batch of a rehearsal would have stored. */
export interface DryRunRecord<Content extends object> extends Stored<Content> {
  /** Whose the record is, of those that stay their vendor's. */
  readonly vendor_id: number | null;
}

/** What the batches of a rehearsal would have stored so far, for those that refer to it or change it. */
export interface DryRunRecords {
  /** By their identities; of those that no batch would have stored, nothing. */
  of<Content extends object>(
    type: RecordType,
    identities: Iterable<string>,
  ): Promise<Map<string, DryRunRecord<Content>>>;
  put(type: RecordType, records: ReadonlyMap<string, DryRunRecord<object>>): Promise<void>;
}

/** One try at applying a batch: what is known so far, and what became of each line. */
export class BatchRun {
  readonly users = new Map<number, SinceLine>();
  readonly products = new Map<number, { readonly since: SinceLine; readonly vendor_id: number }>();
  readonly pre_keys = new Map<string, SinceLine>();
  readonly verdicts = new Map<number, LineVerdict>();
  /** Users who changed: answers that show them must not be taken for current. */
  readonly changedUsers: number[] = [];
  /** What the audit log is to tell of the batch. */
  readonly audited: AuditedChange[] = [];

  constructor(
    readonly session: Session,
    readonly references: References,
    /** Null where the batch is stored. */
    readonly dryRun: DryRunRecords | null,
  ) {}

  accept(line: number, verdict: Exclude<Verdict, 'rejected'>, warning?: string): void {
    this.verdicts.set(line, warning === undefined ? { verdict } : { verdict, warning });
  }

  reject(line: number, problem: string): void {
    this.verdicts.set(line, { verdict: 'rejected', problem });
  }

  /** A record may refer to what stands earlier in the file or in the database (ledger format). */
  hasUser(id: number, line: number): boolean {
    const since = this.users.get(id);
    return since !== undefined && since < line;
  }

  /** @returns the product's vendor, or null where the product does not exist at that line */
  vendorOf(product_id: number, line: number): number | null {
    const product = this.products.get(product_id);
    return product !== undefined && product.since < line ? product.vendor_id : null;
  }

  hasPreKey(pre_key: string, line: number): boolean {
    const since = this.pre_keys.get(pre_key);
    return since !== undefined && since < line;
  }
}

/** The records of one type in one batch, held by the module that owns the type. */
export interface RecordBatch {
  /** Keeps the record, unless its fields have faults, and notes what it refers to. */
  read(line: number, fields: RecordFields, references: References): void;
  /** Checks references, writes what changed, and gives each kept line its verdict. */
  apply(run: BatchRun): Promise<void>;
}
