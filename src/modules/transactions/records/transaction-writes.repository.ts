import { Injectable } from '@nestjs/common';
import { insertRows, replaceRows, rowsByKeys, runByKeys } from '../../../database/bulk.js';
import type { Session, SqlRow, SqlValue } from '../../../database/database.js';
import type { Change } from '../../../ledger-format/record-batch.js';
import { PAYOUT_ITEM_COLUMNS } from '../payout-item.entity.js';
import { RECORD_COLUMNS } from '../transaction.entity.js';

/** A transaction as the ledger file gives it; `row` holds RECORD_COLUMNS in their order. */
export interface TransactionRecord {
  readonly transaction_id: string;
  readonly product_id: number;
  readonly sale_date: string;
  readonly refund_date: string | null;
  readonly affiliate_id: number | null;
  readonly pre_key: string | null;
  readonly row: SqlRow;
  /** Each with PAYOUT_ITEM_COLUMNS in their order. */
  readonly payout_items: readonly SqlRow[];
}

/** Which transaction of which vendor's ledger: the primary key. */
export interface Place {
  readonly vendor_id: number;
  readonly arrival: number;
}

export interface PlacedChange extends Change<TransactionRecord> {
  readonly place: Place;
}

const ID = ['transaction_id'] as const;
const PLACE = ['vendor_id', 'arrival'] as const;
const COLUMNS = [...PLACE, 'refunded_sale_date', ...RECORD_COLUMNS] as const;
const ITEM_COLUMNS = [...PLACE, 'position', ...PAYOUT_ITEM_COLUMNS] as const;

type StoredRow = [
  number,
  number,
  ...[string, number, string, string | null, number | null, string | null],
  ...SqlValue[],
];

/** The SQL that writes transactions, and reads them as they were written. */
@Injectable()
export class TransactionWritesRepository {
  async recordsByIds(
    session: Session,
    transaction_ids: readonly string[],
  ): Promise<{ readonly record: TransactionRecord; readonly place: Place }[]> {
    // Over all vendors on purpose: an id that another vendor has must be found to be refused.
    const ids = [...new Set(transaction_ids)].map((id): [string] => [id]);
    // Most are new. So first which are there: an answer of many columns costs, be it empty.
    const select = 'SELECT transaction_id FROM transactions';
    const there = await rowsByKeys<[string]>(session, select, ID, ids);
    const rows = await rowsByKeys<StoredRow>(
      session,
      `SELECT ${[...PLACE, ...RECORD_COLUMNS].join(', ')} FROM transactions`,
      ID,
      there,
    );
    const items = await this.payoutItems(session, rows);
    return rows.map(([vendor_id, arrival, ...row]) => {
      const [transaction_id, product_id, sale_date, refund_date, affiliate_id, pre_key] = row;
      const place = { vendor_id, arrival };
      const payout_items = items.get(nameOf(place)) ?? [];
      const read = { transaction_id, product_id, sale_date, refund_date, affiliate_id, pre_key };
      return { place, record: { ...read, row, payout_items } };
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
    rows: readonly StoredRow[],
  ): Promise<Map<string, SqlRow[]>> {
    const found = await rowsByKeys<[number, number, number, ...SqlValue[]]>(
      session,
      `SELECT ${ITEM_COLUMNS.join(', ')} FROM payout_items`,
      PLACE,
      rows.map(([vendor_id, arrival]) => [vendor_id, arrival]),
    );
    const items = new Map<string, SqlRow[]>();
    for (const [vendor_id, arrival, , ...item] of found.sort((a, b) => a[2] - b[2])) {
      const place = nameOf({ vendor_id, arrival });
      const others = items.get(place);
      if (others === undefined) items.set(place, [item]);
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
  return [place.vendor_id, place.arrival, refunded_sale_date, ...after.row];
}

function itemRowsOf({ place, after }: PlacedChange): SqlRow[] {
  return after.payout_items.map((item, index) => [
    place.vendor_id,
    place.arrival,
    index + 1,
    ...item,
  ]);
}

function nameOf({ vendor_id, arrival }: Place): string {
  return `${vendor_id}/${arrival}`;
}
