import { Injectable } from '@nestjs/common';
import { replaceRows, rowsByKeys } from '../../database/bulk.js';
import { Database, type Session } from '../../database/database.js';
import { overruledOf, textOf, type Stored } from '../../ledger-format/overruled.js';
import type {
  PaymentStatus,
  RecurringPayment,
  RecurringStatus,
} from './recurring-payment.model.js';

const COLUMNS = [
  'pre_key',
  'id',
  'product_id',
  'status',
  'current_payments',
  'max_number_of_payments',
  'max_total_of_all_payments',
  'max_amount_per_payment',
  'next_payment',
  'processor_email',
  'contact_email',
  'code',
  'price',
  'payment_period',
  'payment_count',
  'payment_first_payout',
  'has_payment_trial',
  'payment_trial_price',
  'payment_trial_period',
  'payment_trial_payout',
  'payout',
  'current_payments_amount',
  'created',
  'sender_email',
  'last_date',
  'next_date',
  'ip',
  'referrer',
  'tid',
  'vtid',
] as const satisfies readonly (keyof RecurringPayment)[];

const STORED_COLUMNS = [...COLUMNS, 'overruled'] as const;

type Row = [
  ...[string, number, number, RecurringStatus, number, number, number, number, string, string],
  ...[string, string | null, number, number, number, number, number, number, number, number],
  ...[number | null, number, string, string, string, string, string, string],
  ...[string | null, string | null],
];

/** All SQL on recurring payments. */
@Injectable()
export class RecurringRepository {
  constructor(private readonly database: Database) {}

  /** One payment for a product of this vendor; another vendor's is as little found as none. */
  async paymentOfVendor(vendor_id: number, pre_key: string): Promise<RecurringPayment | null> {
    const [row] = await this.database.rows<Row>(
      `SELECT ${COLUMNS.map((column) => `r.${column}`).join(', ')}
       FROM recurring_payments r JOIN products p ON p.id = r.product_id
       WHERE r.pre_key = ? AND p.vendor_id = ?`,
      [pre_key, vendor_id],
    );
    return row === undefined ? null : paymentOf(row);
  }

  async setStatus(
    session: Session,
    pre_key: string,
    { content, overruled }: Stored<PaymentStatus>,
  ): Promise<void> {
    const sql = 'UPDATE recurring_payments SET status = ?, overruled = ? WHERE pre_key = ?';
    await session.run(sql, [content.status, textOf(overruled), pre_key]);
  }

  /** @returns those of the keys of which there is a payment */
  async knownPreKeys(session: Session, pre_keys: Iterable<string>): Promise<string[]> {
    const rows = await rowsByKeys<[string]>(
      session,
      'SELECT pre_key FROM recurring_payments',
      ['pre_key'],
      Array.from(pre_keys, (pre_key) => [pre_key]),
    );
    return rows.map(([pre_key]) => pre_key);
  }

  /** Reads payments and keeps them locked until the session's end. */
  async lockedPayments(
    session: Session,
    pre_keys: readonly string[],
  ): Promise<Stored<RecurringPayment>[]> {
    const rows = await rowsByKeys<[...Row, string | null]>(
      session,
      `SELECT ${STORED_COLUMNS.join(', ')} FROM recurring_payments`,
      ['pre_key'],
      pre_keys.map((pre_key) => [pre_key]),
      session.dialect.forUpdate,
    );
    return rows.map((row) => ({ content: paymentOf(row), overruled: overruledOf(row[30]) }));
  }

  async savePayments(
    session: Session,
    payments: readonly Stored<RecurringPayment>[],
  ): Promise<void> {
    const rows = payments.map(({ content, overruled }) => {
      const row = {
        ...content,
        has_payment_trial: Number(content.has_payment_trial),
        overruled: textOf(overruled),
      };
      return STORED_COLUMNS.map((column) => row[column]);
    });
    await replaceRows(session, 'recurring_payments', STORED_COLUMNS, rows, ['pre_key']);
  }
}

function paymentOf(row: readonly [...Row, ...unknown[]]): RecurringPayment {
  return {
    pre_key: row[0],
    id: row[1],
    product_id: row[2],
    status: row[3],
    current_payments: row[4],
    max_number_of_payments: row[5],
    max_total_of_all_payments: row[6],
    max_amount_per_payment: row[7],
    next_payment: row[8],
    processor_email: row[9],
    contact_email: row[10],
    code: row[11],
    price: row[12],
    payment_period: row[13],
    payment_count: row[14],
    payment_first_payout: row[15],
    has_payment_trial: row[16] === 1,
    payment_trial_price: row[17],
    payment_trial_period: row[18],
    payment_trial_payout: row[19],
    payout: row[20],
    current_payments_amount: row[21],
    created: row[22],
    sender_email: row[23],
    last_date: row[24],
    next_date: row[25],
    ip: row[26],
    referrer: row[27],
    tid: row[28],
    vtid: row[29],
  };
}
