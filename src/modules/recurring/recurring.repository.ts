import { Injectable } from '@nestjs/common';
import { replaceRows, selectByKeys } from '../../database/bulk.js';
import { Database, type Session } from '../../database/database.js';
import { overruledOf, textOf, type Stored } from '../../ledger-format/overruled.js';
import type { RecurringPaymentRow } from './recurring-payment.entity.js';
import type { PaymentStatus, RecurringPayment } from './recurring-payment.model.js';

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

/** All SQL on recurring payments. */
@Injectable()
export class RecurringRepository {
  constructor(private readonly database: Database) {}

  /** One payment for a product of this vendor; another vendor's is as little found as none. */
  async paymentOfVendor(vendor_id: number, pre_key: string): Promise<RecurringPayment | null> {
    const [row] = await this.database.select<RecurringPaymentRow>(
      `SELECT ${STORED_COLUMNS.map((column) => `r.${column}`).join(', ')}
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
    const rows = await selectByKeys<Pick<RecurringPayment, 'pre_key'>>(
      session,
      'SELECT pre_key FROM recurring_payments',
      ['pre_key'],
      Array.from(pre_keys, (pre_key) => [pre_key]),
    );
    return rows.map(({ pre_key }) => pre_key);
  }

  /** Reads payments and keeps them locked until the session's end. */
  async lockedPayments(
    session: Session,
    pre_keys: readonly string[],
  ): Promise<Stored<RecurringPayment>[]> {
    const rows = await selectByKeys<RecurringPaymentRow>(
      session,
      `SELECT ${STORED_COLUMNS.join(', ')} FROM recurring_payments`,
      ['pre_key'],
      pre_keys.map((pre_key) => [pre_key]),
      session.dialect.forUpdate,
    );
    return rows.map((row) => ({ content: paymentOf(row), overruled: overruledOf(row.overruled) }));
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

function paymentOf({ overruled: _, ...row }: RecurringPaymentRow): RecurringPayment {
  return { ...row, has_payment_trial: row.has_payment_trial === 1 };
}
