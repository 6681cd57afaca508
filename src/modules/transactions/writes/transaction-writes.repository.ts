import { Injectable } from '@nestjs/common';
import { insertRows, replaceRows, runByKeys, selectByKeys } from '../../../database/bulk.js';
import type { Session, SqlRow } from '../../../database/database.js';
import type {
  PayoutItemRecord,
  TransactionRecord,
} from '../../../ledger-format/transaction.record.js';
import { PAYOUT_ITEM_COLUMNS } from '../payout-item.entity.js';
import { RECORD_COLUMNS } from '../transaction.entity.js';
import type { Place, PlacedChange, StoredTransaction } from './transaction-writes.model.js';

const ID = ['transaction_id'] as const;
const PLACE = ['vendor_id', 'arrival'] as const;
const COLUMNS = [...PLACE, 'refunded_sale_date', ...RECORD_COLUMNS] as const;
const ITEM_COLUMNS = [...PLACE, 'position', ...PAYOUT_ITEM_COLUMNS] as const;

type StoredRow = Place & Pick<TransactionRecord, (typeof RECORD_COLUMNS)[number]>;
type StoredItem = Place & PayoutItemRecord & { readonly position: number };

/** The SQL that writes transactions, and reads them as they were written. */
@Injectable()
export class TransactionWritesRepository {
  async recordsByIds(
    session: Session,
    transaction_ids: readonly string[],
  ): Promise<StoredTransaction[]> {
    // Over all vendors on purpose: an id that another vendor has must be found to be refused.
    const ids = [...new Set(transaction_ids)].map((id): [string] => [id]);
    // Most are new. So first which are there: an answer of many columns costs, be it empty.
    const select = 'SELECT transaction_id FROM transactions';
    const there = await selectByKeys<Pick<StoredRow, 'transaction_id'>>(session, select, ID, ids);
    const rows = await selectByKeys<StoredRow>(
      session,
      `SELECT ${[...PLACE, ...RECORD_COLUMNS].join(', ')} FROM transactions`,
      ID,
      there.map(({ transaction_id }) => [transaction_id]),
    );
    const items = await this.payoutItems(session, rows);
    return rows.map(({ vendor_id, arrival, ...own }) => {
      const place = { vendor_id, arrival };
      return { place, record: { ...own, payout_items: items.get(nameOf(place)) ?? [] } };
    });
  }

  async save(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    const created = changes.filter(({ before }) => before === undefined);
    const changed = changes.filter(({ before }) => before !== undefined);
    // A plain INSERT, so that an id which another vendor took meanwhile fails and is looked at anew.
    await insertRows(session, 'transactions', COLUMNS, created.map(rowOf));
    // Where the table is partitioned by the sale's month, its date is part of the key: the row of
    // another date would be another row.
    const moved = changed.filter(({ before, after }) => before?.sale_date !== after.sale_date);
    await runByKeys(session, 'DELETE FROM transactions', PLACE, moved.map(keyOf));
    await replaceRows(session, 'transactions', COLUMNS, changed.map(rowOf), PLACE);
    const withItems = changed.filter(({ before }) => before?.payout_items.length);
    await runByKeys(session, 'DELETE FROM payout_items', PLACE, withItems.map(keyOf));
    await insertRows(session, 'payout_items', ITEM_COLUMNS, changes.flatMap(itemRowsOf));
  }

  private async payoutItems(
    session: Session,
    places: readonly Place[],
  ): Promise<Map<string, PayoutItemRecord[]>> {
    const found = await selectByKeys<StoredItem>(
      session,
      `SELECT ${ITEM_COLUMNS.join(', ')} FROM payout_items`,
      PLACE,
      places.map(({ vendor_id, arrival }) => [vendor_id, arrival]),
    );
    const items = new Map<string, PayoutItemRecord[]>();
    const inOrder = found.sort((left, right) => left.position - right.position);
    for (const stored of inOrder) {
      const name = nameOf(stored);
      const item = itemOf(stored);
      const others = items.get(name);
      if (others === undefined) items.set(name, [item]);
      else others.push(item);
    }
    return items;
  }
}

function keyOf({ place }: PlacedChange): SqlRow {
  return [place.vendor_id, place.arrival];
}

function rowOf({ place, after }: PlacedChange): SqlRow {
  const refunded_sale_date = after.refund_date === null ? null : after.sale_date;
  const own = RECORD_COLUMNS.map((column) => after[column]);
  return [place.vendor_id, place.arrival, refunded_sale_date, ...own];
}

function itemRowsOf({ place, after }: PlacedChange): SqlRow[] {
  return after.payout_items.map((item, index) => [
    place.vendor_id,
    place.arrival,
    index + 1,
    ...PAYOUT_ITEM_COLUMNS.map((column) => item[column]),
  ]);
}

function itemOf(stored: StoredItem): PayoutItemRecord {
  const { payee_amount, payee_user_id, payee_name } = stored;
  const { payout_type, payment_processor, payout_status } = stored;
  return {
    ...{ payee_amount, payee_user_id, payee_name },
    ...{ payout_type, payment_processor, payout_status },
  };
}

function nameOf({ vendor_id, arrival }: Place): string {
  return `${vendor_id}/${arrival}`;
}
