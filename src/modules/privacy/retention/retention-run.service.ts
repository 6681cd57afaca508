import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../platform/database/database.js';
import { PersonSubscriptionsService } from '../../recurring/index.js';
import { PersonSalesService } from '../../transactions/index.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import { ExtensionSweepService } from '../extension-rows/extension-sweep.service.js';
import { QuotedDataService } from '../people/erase-person.service.js';
import type { Difference } from '../../../ledger/sums/kept-sum.js';
import {
  isFree,
  LeaseLostError,
  Leases,
  NO_LEASE,
  type Held,
} from '../../../platform/jobs/lease.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import {
  ALL_VENDORS,
  keptFrom,
  type RetainedLedger,
  type RetentionRun,
} from './retention.model.js';
import { RetentionRepository } from './retention.repository.js';
import { subjectOf } from './retention-rules.service.js';
import { dateTimeIn, dayOf } from '../../../platform/values/time.js';
import { JobLoop } from '../../../platform/jobs/job-loop.js';

/**
 * Duration of a lease. It is renewed with each batch and much longer than one takes, so the owner
 * of an expired lease has ended.
 */
const LEASE_MS = 60_000;
/** Number of records per batch. The ledger is locked while a batch is written. */
const BATCH = 50;
const BEFORE_ALL_SALES = { sale_date: '1000-01-01 00:00:00', arrival: 0 } as const;
const UNEMPTIED = {
  emptied_to: BEFORE_ALL_SALES.sale_date,
  emptied_arrival: BEFORE_ALL_SALES.arrival,
};

type Turn = Held<RetainedLedger>;

interface RunOptions {
  /** Current day, in UTC. */
  readonly today: string;
  /** Ends the run after the current batch. The next run continues from there. */
  readonly signal: AbortSignal;
  /** Receives the number of records handled since the run began, after each batch. */
  readonly onProgress?: (progress: RetentionRun) => void;
}

/** A due vendor may have expired personal data. */
interface DueVendor {
  readonly vendor_id: number;
  /** Sales before this day keep no personal data. */
  readonly day: string;
  /** True if the vendor has a rule of its own. */
  readonly isOwn: boolean;
  /** State of the vendor's earlier runs, or null if there was none. */
  readonly ledger: RetainedLedger | null;
}

/**
 * Removes personal data whose retention period is over, in one process at a time. Progress is
 * stored with each batch.
 */
@Injectable()
export class RetentionRunService {
  private readonly leases: Leases<number, RetainedLedger>;
  /** Users without expired data, with the day for which this was checked. */
  private readonly without = new Map<number, string>();

  constructor(
    private readonly database: Database,
    private readonly repository: RetentionRepository,
    private readonly transactions: PersonSalesService,
    private readonly payments: PersonSubscriptionsService,
    private readonly writes: TransactionWritesService,
    private readonly quoted: QuotedDataService,
    private readonly sweeping: ExtensionSweepService,
    private readonly audit: AuditService,
  ) {
    this.leases = new Leases(database, repository, LEASE_MS);
  }

  /** Handles all vendors without a completed run today, or whose rule has changed since. */
  async runDue(options: RunOptions): Promise<void> {
    for (const due of await this.vendors(options.today)) {
      if (options.signal.aborted) return;
      if (!isDone(due, options.today)) await this.run(due, options);
    }
  }

  /**
   * Returns the vendors to which a rule with a number of months applies.
   * @param only restricts the result to this vendor
   */
  async vendors(today: string, only?: number): Promise<DueVendor[]> {
    const rules = new Map(
      (await this.repository.allRules()).map(({ vendor_id, months }) => [vendor_id, months]),
    );
    if (rules.size === 0) return [];
    const ledgers = await this.repository.allLedgers();
    const known = new Map(ledgers.map((ledger) => [ledger.vendor_id, ledger]));
    const all = only === undefined ? await this.sweeping.vendorIds() : [only];
    return all.flatMap((vendor_id) => {
      const own = rules.get(vendor_id);
      const months = own === undefined ? rules.get(ALL_VENDORS) : own;
      if (months === undefined || months === null) return [];
      const ledger = known.get(vendor_id) ?? null;
      return [{ vendor_id, day: keptFrom(today, months), isOwn: own !== undefined, ledger }];
    });
  }

  /**
   * Removes the expired personal data of a vendor.
   * @returns null if another process has the lease of this ledger, there is nothing to do, or the
   *   run was ended
   */
  async run(due: DueVendor, { today, signal, onProgress }: RunOptions) {
    const { vendor_id, day } = due;
    if (due.ledger === null && !due.isOwn && !(await this.hasAny(vendor_id, day))) return null;
    const turn = await this.take(vendor_id, day);
    if (turn === null) return null;
    try {
      for await (const progress of this.batches(turn)) {
        onProgress?.(progress);
        if (signal.aborted) return null;
      }
      const swept = await this.sweeping.sweep({ vendor_id, signal });
      if (signal.aborted) return null;
      return await this.finish(turn, today, sumOf(swept.values()));
    } catch (error) {
      if (error instanceof LeaseLostError) return null;
      throw error;
    } finally {
      // Another process can continue at once.
      await this.leases.release(vendor_id, turn.claim);
    }
  }

  /** Returns the ledgers that still have personal data that should have been removed. */
  async differences(): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const { vendor_id, emptied_to, emptied_arrival } of await this.repository.allLedgers()) {
      const upTo = { sale_date: emptied_to, arrival: emptied_arrival };
      const kept = await this.transactions.countPersonal(vendor_id, upTo);
      const figure = `emptied transactions with personal data of vendor ${vendor_id}`;
      if (kept > 0) found.push({ figure, kept, actual: 0 });
    }
    return found;
  }

  private async *batches(turn: Turn): AsyncGenerator<RetainedLedger> {
    const { vendor_id, retained_from } = turn;
    let ledger: RetainedLedger = turn;
    let before: RetainedLedger;
    do {
      before = ledger;
      ledger = await this.write(turn, async (session, found) => {
        const after = { sale_date: found.emptied_to, arrival: found.emptied_arrival };
        const range = { vendor_id, day: retained_from, after };
        const { emptied, last } = await this.transactions.emptyNext(session, range, BATCH);
        if (last === null) return {};
        const place = { emptied_to: last.sale_date, emptied_arrival: last.arrival };
        return { ...place, transactions: found.transactions + emptied };
      });
      yield ledger;
    } while (!isSamePlace(before, ledger));
    for await (const keys of this.payments.keysBefore(vendor_id, retained_from, BATCH)) {
      yield await this.write(turn, async (session, { recurring_payments }) => {
        await this.writes.lock(session, [vendor_id], []);
        const emptied = await this.payments.empty(session, keys, retained_from);
        return { recurring_payments: recurring_payments + emptied };
      });
    }
  }

  /**
   * Returns true if a user has expired data. Most users have none: they need no row, and one check
   * a day.
   */
  private async hasAny(vendor_id: number, day: string): Promise<boolean> {
    if (this.without.get(vendor_id) === day) return false;
    const hasAny = await this.findsAny(vendor_id, day);
    if (!hasAny) this.without.set(vendor_id, day);
    return hasAny;
  }

  private async findsAny(vendor_id: number, day: string): Promise<boolean> {
    const range = { vendor_id, day, after: BEFORE_ALL_SALES };
    if (await this.transactions.hasBefore(this.database, range)) return true;
    for await (const keys of this.payments.keysBefore(vendor_id, day, BATCH))
      return keys.length > 0;
    return this.sweeping.hasBefore(vendor_id, day);
  }

  /**
   * Acquires the lease and raises the first day for which personal data is kept. From then on,
   * older sales lose their personal data when they arrive, so only stored sales remain to be
   * handled.
   * @returns null if another process has the lease
   */
  private take(vendor_id: number, day: string): Promise<Turn | null> {
    const claim = randomUUID();
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, vendor_id);
      if (found !== null && found.claim !== claim && !isFree(found)) return null;
      // An import that has the lock does not know the new day yet. Taking the lock waits for its
      // end.
      await this.writes.lock(session, [vendor_id], []);
      const leased = this.leases.lasting(claim);
      if (found === null) {
        const none = { transactions: 0, recurring_payments: 0, done_on: null };
        const added = { vendor_id, retained_from: day, ...UNEMPTIED, ...none, ...leased };
        await this.repository.addLedger(session, added);
        return added;
      }
      const retained_from = found.retained_from > day ? found.retained_from : day;
      await this.repository.change(session, vendor_id, { retained_from, ...leased });
      return { ...found, retained_from, ...leased };
    });
  }

  /**
   * Writes a batch and its progress, and renews the lease.
   * @param work returns the changes of the ledger's row
   * @throws LeaseLostError if the lease is lost; nothing is written
   */
  private write(
    { vendor_id, claim }: Turn,
    work: (session: Session, ledger: RetainedLedger) => Promise<Partial<RetainedLedger>>,
  ): Promise<Turn> {
    return this.database.writeErasing((session) =>
      this.leases.extend(session, vendor_id, claim, (ledger) => work(session, ledger)),
    );
  }

  /**
   * Records a completed run and releases the lease. It also removes texts that may quote the
   * removed data.
   * @param extension_rows number of rows of extensions that were emptied
   */
  private finish(
    { vendor_id, claim }: Turn,
    today: string,
    extension_rows: number,
  ): Promise<RetentionRun> {
    return this.database.writeErasing(async (session) => {
      const found = await this.leases.held(session, vendor_id, claim);
      if (found === null) throw new LeaseLostError();
      const { retained_from, transactions, recurring_payments } = found;
      const none = { transactions: 0, recurring_payments: 0 };
      const changes = { ...none, done_on: today, ...NO_LEASE };
      await this.repository.change(session, vendor_id, changes);
      const emptied = { transactions, recurring_payments };
      const rows = extension_rows === 0 ? {} : { extension_rows };
      if (transactions + recurring_payments + extension_rows > 0) {
        await this.quoted.forget(session, vendor_id);
        await this.audit.record(session, {
          ...BY_OPERATOR,
          account_id: vendor_id,
          action: 'retention.run',
          subject: subjectOf(vendor_id),
          after: { retained_from, ...emptied, ...rows },
        });
      }
      return { vendor_id, retained_from, ...emptied };
    });
  }
}

function sumOf(counts: Iterable<number>): number {
  return [...counts].reduce((sum, count) => sum + count, 0);
}

function isSamePlace(left: RetainedLedger, right: RetainedLedger): boolean {
  return left.emptied_to === right.emptied_to && left.emptied_arrival === right.emptied_arrival;
}

function isDone({ day, ledger }: DueVendor, today: string): boolean {
  return ledger?.done_on === today && ledger.retained_from >= day;
}

/** A new rule or a new day takes effect within this time. */
const EVERY_MS = 600_000;

/** Removes expired personal data once a day, in one process at a time. */
@Injectable()
export class RetentionLoopService extends JobLoop {
  constructor(private readonly runs: RetentionRunService) {
    super('Old personal data could not be emptied', EVERY_MS);
  }

  protected run(signal: AbortSignal): Promise<void> {
    return this.runs.runDue({ today: dayOf(dateTimeIn(0)), signal });
  }
}
