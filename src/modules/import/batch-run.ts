import type { Session } from '../../database/database.js';
import type { VendorAffiliate } from '../accounts/seen/seen-user.model.js';
import type { AuditEntry } from '../audit/audit.model.js';
import type { DryRunRecordsRepository } from './dry-run-records.repository.js';
import type { Verdict } from './import.model.js';
import type { CreatedBySource } from './records/created-by-source.js';

/** The outcome of a line. A rejected line has a `problem`; others may have warnings. */
export interface LineVerdict {
  readonly verdict: Verdict;
  readonly problem?: string;
  readonly warnings: readonly string[];
}

/** Identities that the lines of a batch refer to. */
export class References {
  readonly users = new Set<number>();
  readonly products = new Set<number>();
  readonly pre_keys = new Set<string>();
}

/** The line since which something exists; 0 if it was stored before the batch. */
export type SinceLine = number;
export const BEFORE_THE_BATCH: SinceLine = 0;

/** A change of a stored record, as the audit log records it. */
export type AuditedChange = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>;

export interface RunOptions {
  /** What a dry run would have stored so far; null if the batch is stored. */
  readonly dryRun: DryRunRecordsRepository | null;
  /** The only vendor whose records may change; null for all. */
  readonly onlyVendor: number | null;
  /** True if the records outrank what the API has set: they tell what the upstream made of it. */
  readonly outranksApi: boolean;
}

/** One attempt to apply a batch: what exists so far, and the outcome of each line. */
export class BatchRun {
  readonly users = new Map<number, SinceLine>();
  readonly products = new Map<number, { readonly since: SinceLine; readonly vendor_id: number }>();
  readonly pre_keys = new Map<string, SinceLine>();
  /** How many users the source or upstream may create; null if the records need none. */
  createdUsers: CreatedBySource | null = null;
  readonly verdicts = new Map<number, LineVerdict>();
  /** Users who changed: cached answers that show them are out of date. */
  readonly changedUsers: number[] = [];
  /** Affiliates whom accepted records give to vendors, by vendor and affiliate, until they are saved. */
  readonly givenAffiliates = new Map<string, VendorAffiliate>();
  /** Changes of the batch that the audit log records. */
  readonly audited: AuditedChange[] = [];

  readonly dryRun: DryRunRecordsRepository | null;
  readonly onlyVendor: number | null;
  readonly outranksApi: boolean;

  constructor(
    readonly session: Session,
    readonly references: References,
    { dryRun, onlyVendor, outranksApi }: RunOptions,
  ) {
    this.dryRun = dryRun;
    this.onlyVendor = onlyVendor;
    this.outranksApi = outranksApi;
  }

  accept(line: number, verdict: Exclude<Verdict, 'rejected'>, warnings: readonly string[]): void {
    this.verdicts.set(line, { verdict, warnings });
  }

  reject(line: number, problem: string): void {
    this.verdicts.set(line, { verdict: 'rejected', problem, warnings: [] });
  }

  /** A record may refer to what is earlier in the file or in the database (ledger format). */
  hasUser(id: number, line: number): boolean {
    return (this.users.get(id) ?? line) < line;
  }

  /** @returns the product's vendor, or null where the product does not exist at that line */
  vendorOf(product_id: number, line: number): number | null {
    const product = this.products.get(product_id);
    return product !== undefined && product.since < line ? product.vendor_id : null;
  }

  hasPreKey(pre_key: string, line: number): boolean {
    return (this.pre_keys.get(pre_key) ?? line) < line;
  }
}
