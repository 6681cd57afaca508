import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../../common/time.js';
import type { Reader } from '../../../database/database.js';
import { PERSONAL_OF_RECURRING_PAYMENT } from '../../../ledger-format/personal-data.js';
import { RECURRING_STATUSES } from '../../../ledger-format/recurring-status.js';
import type { RecurringPayment } from '../recurring-payment.model.js';

/** Lists all statuses except `ACTIVE`. Active subscriptions keep their personal data. */
export const NOT_ACTIVE = RECURRING_STATUSES.filter((status) => status !== 'ACTIVE');

export type PaymentPlace = Pick<RecurringPayment, 'created' | 'pre_key'>;
/** `is_old` is 1 if the subscription has personal data and has had no payment since the day. */
export type OldPayment = PaymentPlace & { readonly is_old: number };

export interface MadeBefore {
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

/**
 * Finds subscriptions whose personal data has expired. The SQL is hand-written, because it walks
 * through whole lists.
 */
@Injectable()
export class OldPaymentsRepository {
  /** Returns the next subscriptions that were created before a day, oldest first. */
  madeBefore(
    reader: Reader,
    { vendor_id, status, day, after }: MadeBefore,
    limit: number,
  ): Promise<OldPayment[]> {
    const { created, pre_key } = after ?? { created: startOfDay('1000-01-01'), pre_key: '' };
    return reader.select<OldPayment>(
      `SELECT created, pre_key,
          CASE WHEN (last_date < ? OR last_date IS NULL) AND (${IS_PERSONAL}) THEN 1 ELSE 0 END AS is_old
        FROM recurring_payments
        WHERE vendor_id = ? AND status = ? AND created < ? AND created >= ?
          AND (created > ? OR pre_key > ?)
        ORDER BY created, pre_key LIMIT ?`,
      [startOfDay(day), vendor_id, status, startOfDay(day), created, created, pre_key, limit],
    );
  }
}
