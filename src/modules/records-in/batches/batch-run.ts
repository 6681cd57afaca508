import type { Session } from '../../../platform/database/database.js';
import type { VendorAffiliate } from '../../../ledger/reads/seen-user.model.js';
import type { LedgerStep } from '../../../ledger/writes/ledger-step.js';
import type { AccountsRepository } from '../../accounts/index.js';
import type { AuditEntry } from '../../audit/index.js';
import type { ProductsService } from '../../products/index.js';
import type { DryRunRecordsRepository } from './dry-run-records.repository.js';

interface SourceLimit {
  /** Name of the setting, for the problem of a record beyond the limit. */
  readonly setting: string;
  readonly most: number;
  readonly records: AccountsRepository['records'] | ProductsService['records'];
}

/**
 * Counts down the records of a type that the sources and upstreams of a vendor may still create.
 */
export class CreatedBySource {
  private constructor(
    private readonly limit: SourceLimit,
    private left: number,
  ) {}

  /**
   * Counts the existing records. The caller holds the lock of the vendor, so none is created
   * meanwhile.
   * @param isNeeded true if records of the batch may need a new one
   * @returns null if it is not needed, or if the records are the operator's
   */
  static async count(
    { session, onlyVendor }: BatchRun,
    isNeeded: boolean,
    limit: SourceLimit,
  ): Promise<CreatedBySource | null> {
    if (onlyVendor === null || !isNeeded) return null;
    const { most, records } = limit;
    const created = await records.countOfSources(session, onlyVendor, most);
    return new CreatedBySource(limit, most - created);
  }

  /** True if nothing more may be created. */
  get isFull(): boolean {
    return this.left <= 0;
  }

  /**
   * Counts a new record.
   * @returns the reason if no more may be created, or null
   */
  take(): string | null {
    if (this.isFull) {
      const { most, setting } = this.limit;
      return `id: the sources and upstreams of this vendor may create at most ${most.toLocaleString('en')} (${setting})`;
    }
    this.left -= 1;
    return null;
  }
}

/** Holds the result of a line. */
export interface LineVerdict {
  readonly verdict: Verdict;
  /** The reason why the line is rejected. */
  readonly problem?: string;
  /** All warnings of an accepted line; absent if there are none. */
  readonly warning?: string;
}

/** Collects the identities that the lines of a batch refer to. */
export class References {
  readonly users = new Set<number>();
  readonly products = new Set<number>();
  readonly pre_keys = new Set<string>();
}

/** The number of the line that adds a record, or 0 if the record was stored before the batch. */
export type SinceLine = number;
export const BEFORE_THE_BATCH: SinceLine = 0;

/** Describes a change of a stored record for the audit log. */
export type AuditedChange = Pick<
  AuditEntry,
  'account_id' | 'action' | 'subject' | 'before' | 'after'
>;

export interface RunOptions {
  /** The step of an import to which the batch belongs; null if the batch is complete by itself. */
  readonly step: LedgerStep | null;
  /** The records that a dry run would have stored so far; null if the batch is stored. */
  readonly dryRun: DryRunRecordsRepository | null;
  /** The only vendor whose records may change; null for all. */
  readonly onlyVendor: number | null;
  /**
   * True if the records overwrite changes made through the API, because they show the state after
   * the upstream received these changes.
   */
  readonly outranksApi: boolean;
}

/**
 * Holds the state of one attempt to apply a batch: the records that exist so far, and the result of
 * each line.
 */
export class BatchRun {
  readonly users = new Map<number, SinceLine>();
  readonly products = new Map<number, { readonly since: SinceLine; readonly vendor_id: number }>();
  readonly pre_keys = new Map<string, SinceLine>();
  /**
   * Counts the users that the source or upstream may still create; null if the records create none.
   */
  createdUsers: CreatedBySource | null = null;
  readonly verdicts = new Map<number, LineVerdict>();
  /** Ids of users who changed, so that cached answers with them are out of date. */
  readonly changedUsers: number[] = [];
  /**
   * Affiliates that accepted records show to vendors, by vendor and affiliate, until they are
   * saved.
   */
  readonly givenAffiliates = new Map<string, VendorAffiliate>();
  /** Changes of the batch that the audit log records. */
  readonly audited: AuditedChange[] = [];

  readonly step: LedgerStep | null;
  readonly dryRun: DryRunRecordsRepository | null;
  readonly onlyVendor: number | null;
  readonly outranksApi: boolean;

  constructor(
    readonly session: Session,
    readonly references: References,
    { step, dryRun, onlyVendor, outranksApi }: RunOptions,
  ) {
    this.step = step;
    this.dryRun = dryRun;
    this.onlyVendor = onlyVendor;
    this.outranksApi = outranksApi;
  }

  accept(line: number, verdict: Exclude<Verdict, 'rejected'>, warnings: readonly string[]): void {
    const warning = warnings.join('; ');
    this.verdicts.set(line, warning === '' ? { verdict } : { verdict, warning });
  }

  reject(line: number, problem: string): void {
    this.verdicts.set(line, { verdict: 'rejected', problem });
  }

  /** Returns true if the user is stored or is added by an earlier line. */
  hasUser(id: number, line: number): boolean {
    return (this.users.get(id) ?? line) < line;
  }

  /** @returns the product's vendor, or null if the product does not exist at that line */
  vendorOf(product_id: number, line: number): number | null {
    const product = this.products.get(product_id);
    return product !== undefined && product.since < line ? product.vendor_id : null;
  }

  hasPreKey(pre_key: string, line: number): boolean {
    return (this.pre_keys.get(pre_key) ?? line) < line;
  }
}

/**
 * A line has one of these results. A `stale` line changes nothing, because a newer version of its
 * record is stored.
 */
export const VERDICTS = ['inserted', 'updated', 'unchanged', 'stale', 'rejected'] as const;

export type Verdict = (typeof VERDICTS)[number];
