import { Injectable } from '@nestjs/common';
import { compiledValues } from '../../platform/values/record-of.js';
import { inParts } from '../../platform/values/in-parts.js';
import { dateTimeOf } from '../../platform/values/time.js';
import {
  insertRows,
  replaceRows,
  runByKeys,
  selectByKeys,
  selectTogether,
  raiseColumn,
} from '../../platform/database/bulk.js';
import {
  Database,
  type Session,
  type SqlRow,
  type SqlValue,
} from '../../platform/database/database.js';
import { transactionReasons } from '../changes/reasons/transaction-reasons.js';
import { COLUMN_NAMES } from '../columns.js';
import { PAYOUT_ITEM_COLUMNS, type PayoutItemRecord } from '../records/transaction.record.js';
import { renderForStorage } from '../reads/rendered-transaction.model.js';
import { PLACE_COLUMNS } from '../reads/transaction.entity.js';
import type { StoredTransaction } from '../reads/transaction.model.js';
import type { LedgerChange, Place } from '../revisions/ledger-change.model.js';
import type {
  PlacedChange,
  PlacedRecord,
  PlacedVersion,
  ProductKey,
} from './transaction-writes.model.js';

const ID = ['transaction_id'] as const;
const COLUMNS = [
  ...COLUMN_NAMES,
  ...PLACE_COLUMNS,
  'refunded_sale_date',
  'rendered',
  'record_version',
  'sequence',
  'changed_at',
  'reasons',
] as const;
const ownValuesOf = compiledValues(COLUMN_NAMES);
const READ_COLUMNS = [...PLACE_COLUMNS, ...COLUMN_NAMES, 'record_version', 'reasons'] as const;
const ITEM_COLUMNS = [...PLACE_COLUMNS, ...PAYOUT_ITEM_COLUMNS] as const;

type StoredRow = Pick<StoredTransaction, (typeof READ_COLUMNS)[number]>;

/**
 * Contains the SQL that writes transactions. The bulk statements are hand-written, to make imports
 * fast.
 */
@Injectable()
export class TransactionWritesRepository {
  constructor(private readonly database: Database) {}

  async recordsByIds(
    session: Session,
    transaction_ids: readonly string[],
  ): Promise<PlacedRecord[]> {
    // This covers all vendors, because an id that another vendor uses must be found and rejected.
    const ids = [...new Set(transaction_ids)];
    // Most transactions are new. A result of many columns is costly even without rows, so the known
    // ids are found first.
    const select = 'SELECT transaction_id FROM transactions';
    const known = await selectTogether<Pick<StoredRow, 'transaction_id'>>(session, select, ID, ids);
    const rows = await selectByKeys<StoredRow & { readonly sequence: number }>(
      session,
      `SELECT ${READ_COLUMNS.join(', ')}, COALESCE(sequence, arrival) AS sequence FROM transactions`,
      ID,
      known.map(({ transaction_id }) => transaction_id),
    );
    const items = await this.payoutItems(session, rows);
    return rows.map(({ vendor_id, arrival, record_version, sequence, reasons: text, ...own }) => {
      const place = { vendor_id, arrival };
      const content = { ...own, payout_items: items.get(textOf(place)) ?? [] };
      const reasons = transactionReasons(text, content, sequence);
      return { place, content, record_version, sequence, reasons };
    });
  }

  async save(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    const write = await this.prepared(changes);
    await write(session);
  }

  /** Renders the rows of changes, and returns a function that writes them. */
  async prepared(changes: readonly PlacedChange[]): Promise<(session: Session) => Promise<void>> {
    const changed_at = dateTimeOf(new Date());
    const rowOf = (change: PlacedChange) => rowAt(changed_at, change);
    // The rows of a vendor are beside each other in most indices.
    const added = changes.filter(({ before }) => before === undefined);
    added.sort((left, right) => left.vendor_id - right.vendor_id);
    const created: SqlRow[] = [];
    await inParts(added, (part) => created.push(...part.map(rowOf)));
    const changed = changes.filter(({ before }) => before !== undefined);
    return async (session) => {
      // A plain INSERT fails if another vendor has taken the id meanwhile. The session is then
      // repeated, which checks the id again.
      await insertRows(session, 'transactions', COLUMNS, created);
      if (changed.length > 0) await this.replace(session, changed, changed.map(rowOf));
      await insertRows(
        session,
        'payout_items',
        [...ITEM_COLUMNS, 'position'],
        changes.flatMap(itemRowsOf),
      );
    };
  }

  private async replace(
    session: Session,
    changed: readonly PlacedChange[],
    rows: readonly SqlRow[],
  ): Promise<void> {
    // The old row is deleted, because it would remain with its old sale date: if the table is
    // partitioned by month, the sale date is part of the primary key.
    const moved = changed.filter(({ before, after }) => before?.sale_date !== after.sale_date);
    await runByKeys(session, 'DELETE FROM transactions', PLACE_COLUMNS, moved.map(keyOf));
    await replaceRows(session, 'transactions', COLUMNS, rows, PLACE_COLUMNS);
    const withItems = changed.filter(({ before }) => before?.payout_items.length);
    await runByKeys(session, 'DELETE FROM payout_items', PLACE_COLUMNS, withItems.map(keyOf));
  }

  /** Replaces stored transactions whose sale dates and payout items do not change. */
  async rewrite(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    const changed_at = dateTimeOf(new Date());
    const rows = changes.map((change) => rowAt(changed_at, change));
    await replaceRows(session, 'transactions', COLUMNS, rows, PLACE_COLUMNS);
  }

  /** Returns the arrivals of these sales of a vendor, by id. */
  async arrivalsOf(
    session: Session,
    vendor_id: number,
    transaction_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await selectByKeys<Place & Pick<StoredRow, 'transaction_id'>>(
      session,
      'SELECT transaction_id, vendor_id, arrival FROM transactions',
      ID,
      [...new Set(transaction_ids)],
    );
    const own = rows.filter((row) => row.vendor_id === vendor_id);
    return new Map(own.map(({ transaction_id, arrival }) => [transaction_id, arrival]));
  }

  /**
   * Moves stored sales to places that others of them have. It deletes and inserts them, because
   * their ids are unique, too.
   */
  async move(session: Session, changes: readonly PlacedChange[]): Promise<void> {
    await this.remove(session, changes);
    await this.save(
      session,
      changes.map((change) => ({ ...change, before: undefined })),
    );
  }

  /** Returns the next sales of a product, in the order of their arrival. */
  ofProduct(
    session: Session,
    { vendor_id, product_id }: ProductKey,
    after: number,
    limit: number,
  ): Promise<(Pick<StoredRow, 'transaction_id'> & Pick<Place, 'arrival'>)[]> {
    return session.select(
      `SELECT transaction_id, arrival FROM transactions
        WHERE vendor_id = ? AND product_id = ? AND arrival > ? ORDER BY arrival LIMIT ?`,
      [vendor_id, product_id, after, limit],
    );
  }

  async countOfProduct({ vendor_id, product_id }: ProductKey): Promise<number> {
    const [row] = await this.database.select<{ readonly sales: number }>(
      'SELECT COUNT(*) AS sales FROM transactions WHERE vendor_id = ? AND product_id = ?',
      [vendor_id, product_id],
    );
    return row?.sales ?? 0;
  }

  async remove(session: Session, removed: readonly LedgerChange[]): Promise<void> {
    for (const table of ['transactions', 'payout_items']) {
      await runByKeys(session, `DELETE FROM ${table}`, PLACE_COLUMNS, removed.map(keyOf));
    }
  }

  async idsSoldBetween(vendor_id: number, first: string, last: string): Promise<string[]> {
    const rows = await this.database.select<Pick<StoredRow, 'transaction_id'>>(
      'SELECT transaction_id FROM transactions WHERE vendor_id = ? AND sale_date BETWEEN ? AND ?',
      [vendor_id, first, last],
    );
    return rows.map(({ transaction_id }) => transaction_id);
  }

  async raiseVersions(session: Session, versions: readonly PlacedVersion[]): Promise<void> {
    const rows = versions.map(({ place, record_version }) => [
      ...PLACE_COLUMNS.map((column) => place[column]),
      record_version,
    ]);
    await raiseColumn(session, 'transactions', 'record_version', PLACE_COLUMNS, rows);
  }

  /** Returns those of these users who have a sale as an affiliate, including pending ones. */
  async affiliatesAmong(session: Session, user_ids: readonly number[]): Promise<number[]> {
    const rows = await selectByKeys<{ readonly affiliate_id: number }>(
      session,
      'SELECT DISTINCT affiliate_id FROM transactions',
      ['affiliate_id'],
      user_ids,
    );
    return rows.map(({ affiliate_id }) => affiliate_id);
  }

  /**
   * Returns those of these affiliates who have a sale, including pending ones, of a vendor other
   * than this one.
   */
  async affiliatesOfOthers(
    session: Session,
    affiliate_ids: readonly number[],
    vendor_id: number,
  ): Promise<number[]> {
    const rows = await selectByKeys<{ readonly affiliate_id: number; readonly vendor_id: number }>(
      session,
      'SELECT DISTINCT affiliate_id, vendor_id FROM transactions',
      ['affiliate_id'],
      affiliate_ids,
    );
    return rows.filter((row) => row.vendor_id !== vendor_id).map((row) => row.affiliate_id);
  }

  private async payoutItems(
    session: Session,
    places: readonly Place[],
  ): Promise<Map<string, PayoutItemRecord[]>> {
    const rows = await selectByKeys<Place & PayoutItemRecord>(
      session,
      `SELECT ${ITEM_COLUMNS.join(', ')} FROM payout_items`,
      PLACE_COLUMNS,
      places.map(({ vendor_id, arrival }) => [vendor_id, arrival]),
      'ORDER BY vendor_id, arrival, position',
    );
    const items = new Map<string, PayoutItemRecord[]>();
    for (const { vendor_id, arrival, ...item } of rows) {
      const name = textOf({ vendor_id, arrival });
      const others = items.get(name);
      if (others === undefined) items.set(name, [item]);
      else others.push(item);
    }
    return items;
  }
}

function keyOf({ place }: Pick<LedgerChange, 'place'>): SqlRow {
  return [place.vendor_id, place.arrival];
}

function rowAt(
  changed_at: string,
  { place, after, record_version, sequence, reasons }: PlacedChange,
): SqlRow {
  const refunded_sale_date = after.refund_date === null ? null : after.sale_date;
  const row = ownValuesOf<SqlValue>(after);
  row.push(place.vendor_id, place.arrival, refunded_sale_date, renderForStorage(after));
  row.push(record_version, sequence, changed_at, reasons);
  return row;
}

function itemRowsOf({ place, after }: PlacedChange): SqlRow[] {
  return after.payout_items.map((item, index) => [
    place.vendor_id,
    place.arrival,
    ...PAYOUT_ITEM_COLUMNS.map((column) => item[column]),
    index + 1,
  ]);
}

function textOf({ vendor_id, arrival }: Place): string {
  return `${vendor_id}/${arrival}`;
}
