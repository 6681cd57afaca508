import { Injectable } from '@nestjs/common';
import type { Session } from '../../../../database/database.js';
import {
  countChanges,
  foundLedger,
  type LockedLedgers,
  type LedgerChange,
} from '../../writes/transaction-writes.model.js';
import { TRACKED_COLUMNS, type TrackedSale } from './tracked-sale.model.js';
import { saveTrackedSums, valuesIn, type SignedSale } from './tracked-sums.js';
import { TrackingBounds } from './tracking-bounds.model.js';
import { TrackingValuesRepository } from './tracking-values.repository.js';

/** Describes the changes of a ledger that its kept sums do not include yet. */
interface Waiting {
  readonly vendor_id: number;
  /** The waiting changes have the sequences after `tracked`, up to `last`. */
  readonly tracked: number;
  readonly last: number;
}

/** Maintains the kept sums by tracking field (docs/adr/0032-tracking-sums-follow-the-ledger.md). */
@Injectable()
export class TrackingWritesRepository {
  constructor(
    private readonly values: TrackingValuesRepository,
    private readonly bounds: TrackingBounds,
  ) {}

  /** Updates the kept sums. The changes of the locked ledgers have already been written. */
  async apply(
    session: Session,
    ledgers: LockedLedgers,
    changes: readonly LedgerChange[],
  ): Promise<void> {
    const sales: SignedSale[] = [];
    for (const { before, sequence_before, vendor_id } of changes) {
      if (before === undefined || sequence_before === null) continue;
      const { tracked_sequence } = foundLedger(ledgers, vendor_id);
      if (sequence_before <= tracked_sequence) sales.push({ vendor_id, sale: before, sign: -1 });
    }
    const due = waitingIn(ledgers, changes).filter(
      ({ tracked, last }) => last - tracked >= this.bounds.waiting,
    );
    for (const waiting of due) sales.push(...(await this.salesOf(session, waiting)));
    const idOf = await this.values.idsOf(session, valuesIn(sales));
    await saveTrackedSums(session, sales, idOf);
    for (const { vendor_id, last } of due) {
      const sql = 'UPDATE ledger_revisions SET tracked_sequence = ? WHERE vendor_id = ?';
      await session.run(sql, [last, vendor_id]);
    }
  }

  private async salesOf(
    session: Session,
    { vendor_id, tracked, last }: Waiting,
  ): Promise<SignedSale[]> {
    const rows = await session.select<TrackedSale>(
      `SELECT ${TRACKED_COLUMNS.join(', ')}
        FROM transactions /*! FORCE INDEX (transactions_by_sequence) */
        WHERE vendor_id = ? AND sequence > ? AND sequence <= ?`,
      [vendor_id, tracked, last],
    );
    return rows.map((sale) => ({ vendor_id, sale, sign: 1 }));
  }
}

/** Returns the waiting changes of each ledger, including these changes. */
function waitingIn(ledgers: LockedLedgers, changes: readonly LedgerChange[]): Waiting[] {
  return Array.from(countChanges(changes), ([vendor_id, { changed }]) => {
    const { last_sequence, tracked_sequence } = foundLedger(ledgers, vendor_id);
    return { vendor_id, tracked: tracked_sequence, last: last_sequence + changed };
  });
}
