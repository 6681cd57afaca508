import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../platform/values/time.js';
import type { Reader } from '../../platform/database/database.js';
import { keysetOf } from '../../ledger/reads/keyset.js';
import type { EmailLookup } from '../../platform/database/entities/spellings.js';
import { PERSONAL_OF_RECURRING_PAYMENT } from '../../ledger/records/personal-data.js';
import { RECURRING_STATUSES } from '../../ledger/records/recurring-status.js';
import type { RecurringPaymentRow } from './recurring-payment.entity.js';
import type { RecurringPayment } from './recurring-payment.model.js';

/** Lists all statuses except `ACTIVE`. Active subscriptions keep their personal data. */
export const NOT_ACTIVE = RECURRING_STATUSES.filter((status) => status !== 'ACTIVE');

export type PaymentPlace = Pick<RecurringPayment, 'created' | 'pre_key'>;
/** Describes a subscription. `is_personal` is 1 if it has personal data. */
interface MadePayment extends PaymentPlace, Pick<RecurringPayment, 'last_date'> {
  readonly is_personal: 0 | 1;
}

interface MadeBefore {
  readonly vendor_id: number;
  readonly status: (typeof NOT_ACTIVE)[number];
  /** Day before which the subscriptions were created. */
  readonly day: string;
  /** Place after which the range begins; null to begin with the oldest subscription. */
  readonly after: PaymentPlace | null;
}

const IS_PERSONAL = Object.entries(PERSONAL_OF_RECURRING_PAYMENT)
  .map(([column, empty]) => (empty === null ? `${column} IS NOT NULL` : `${column} <> ''`))
  .join(' OR ');

const NEXT = keysetOf({
  selected: `created, pre_key, last_date, CASE WHEN ${IS_PERSONAL} THEN 1 ELSE 0 END AS is_personal`,
  table: 'recurring_payments',
  where: 'vendor_id = ? AND status = ?',
  order: ['created', 'pre_key'],
  direction: 'ASC',
  also: ' AND created < ?',
});

/**
 * Finds the subscriptions of a person, and subscriptions whose personal data has expired. The SQL
 * is hand-written: each statement on a person reads a range of one index, and the others walk
 * through whole lists.
 */
@Injectable()
export class PersonSubscriptionsRepository {
  /**
   * Returns the next keys of a look-up after a key.
   * @param until latest creation of a subscription, in UTC
   */
  async keysAfter(
    reader: Reader,
    { sql, values }: EmailLookup,
    { after, until }: { readonly after: string; readonly until: string },
    take: number,
  ): Promise<string[]> {
    const rows = await reader.select<Pick<RecurringPaymentRow, 'pre_key'>>(
      `SELECT pre_key FROM recurring_payments
        WHERE ${sql} AND pre_key > ? AND created <= ? ORDER BY pre_key LIMIT ?`,
      [...values, after, until, take],
    );
    return rows.map(({ pre_key }) => pre_key);
  }

  /** Returns the next subscriptions that were created before a day, oldest first. */
  madeBefore(
    reader: Reader,
    { vendor_id, status, day, after }: MadeBefore,
    limit: number,
  ): Promise<MadePayment[]> {
    const { created, pre_key } = after ?? { created: startOfDay('1000-01-01'), pre_key: '' };
    const where = [vendor_id, status];
    const values = { where, position: [created, pre_key], also: [startOfDay(day)], take: limit };
    return reader.select<MadePayment>(NEXT.sql, NEXT.values(values));
  }
}
