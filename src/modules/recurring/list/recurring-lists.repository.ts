import { Injectable } from '@nestjs/common';
import { Database, type SqlValue } from '../../../database/database.js';
import { columnsOfEntity } from '../../../database/entities/entity-rows.js';
import { RecurringPaymentEntity, type RecurringPaymentRow } from '../recurring-payment.entity.js';
import { paymentOf } from '../recurring-row.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import {
  STATUS_OF_LIST,
  type Due,
  type DueOnDay,
  type RecurringCursor,
  type RecurringList,
  type RecurringStatus,
} from './recurring-list.model.js';

const COLUMNS = columnsOfEntity(RecurringPaymentEntity).join(', ');
/** What sorts each list, and in which direction. */
const ORDERS = {
  active: { column: 'next_payment', isAscending: true },
  canceled: { column: 'created', isAscending: false },
  completed: { column: 'created', isAscending: false },
} as const satisfies Record<RecurringList, object>;

interface SumRow {
  readonly agreements: number | null;
  /** Text, because a sum may be more than a number holds exactly. */
  readonly amount: string | null;
}

/** The lists of a vendor's recurring payments. By hand: a page reads as many index entries as it shows. */
@Injectable()
export class RecurringListsRepository {
  constructor(private readonly database: Database) {}

  /** At most `take` payments after or before the cursor, in the order of the list. */
  async page(
    vendor_id: number,
    list: RecurringList,
    cursor: RecurringCursor | null,
    take: number,
  ): Promise<RecurringPayment[]> {
    const { sql, values } = pageStatement(vendor_id, list, cursor, take);
    const rows = await this.database.select<RecurringPaymentRow>(sql, values);
    const payments = rows.map(paymentOf);
    return cursor?.direction === 'before' ? payments.reverse() : payments;
  }

  /** Statuses without a payment are left out. */
  async counts(vendor_id: number): Promise<ReadonlyMap<RecurringStatus, number>> {
    const rows = await this.database.select<{
      readonly status: RecurringStatus;
      readonly agreements: number;
    }>(
      `SELECT status, CAST(SUM(agreements) AS SIGNED) AS agreements FROM recurring_sums
        WHERE vendor_id = ? GROUP BY status`,
      [vendor_id],
    );
    return new Map(rows.map(({ status, agreements }) => [status, agreements]));
  }

  /** The active payments by the day of their next payment, both days included. */
  async dueBetween(vendor_id: number, first: string, last: string): Promise<DueOnDay[]> {
    const rows = await this.database.select<SumRow & Pick<DueOnDay, 'day'>>(
      `SELECT day, agreements, CAST(amount AS CHAR) AS amount FROM recurring_sums
        WHERE vendor_id = ? AND status = 'ACTIVE' AND day BETWEEN ? AND ? ORDER BY day`,
      [vendor_id, first, last],
    );
    return rows.map(({ day, ...row }) => ({ day, ...dueOf(row) }));
  }

  /** The active payments whose next payment lies before a day. */
  async dueBefore(vendor_id: number, day: string): Promise<Due> {
    const [row] = await this.database.select<SumRow>(
      `SELECT CAST(SUM(agreements) AS SIGNED) AS agreements, CAST(SUM(amount) AS CHAR) AS amount
        FROM recurring_sums WHERE vendor_id = ? AND status = 'ACTIVE' AND day < ?`,
      [vendor_id, day],
    );
    return dueOf(row);
  }
}

/** Payments of the cursor's second are a range of the index by their key, the others another one. */
function pageStatement(
  vendor_id: number,
  list: RecurringList,
  cursor: RecurringCursor | null,
  take: number,
): { sql: string; values: SqlValue[] } {
  const { column, isAscending } = ORDERS[list];
  const isForwards = cursor?.direction !== 'before';
  const [order, beyond] = isAscending === isForwards ? ['ASC', '>'] : ['DESC', '<'];
  const ordered = `ORDER BY ${column} ${order}, pre_key ${order} LIMIT ?`;
  const part = (name: string, condition: string) =>
    `SELECT * FROM (SELECT ${COLUMNS} FROM recurring_payments
      WHERE vendor_id = ? AND status = ?${condition} ${ordered}) ${name}`;
  const owner = [vendor_id, STATUS_OF_LIST[list]];
  if (cursor === null) return { sql: part('page', ''), values: [...owner, take] };
  const { at, pre_key } = cursor;
  const parts = [
    part('same', ` AND ${column} = ? AND pre_key ${beyond} ?`),
    part('others', ` AND ${column} ${beyond} ?`),
  ];
  return {
    sql: `${parts.join(' UNION ALL ')} ${ordered}`,
    values: [...owner, at, pre_key, take, ...owner, at, take, take],
  };
}

function dueOf(row: SumRow | undefined): Due {
  return { agreements: row?.agreements ?? 0, amount: BigInt(row?.amount ?? 0) };
}
