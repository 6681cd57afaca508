import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../../common/time.js';
import type { Reader } from '../../../database/database.js';
import { PERSONAL_OF_RECURRING_PAYMENT } from '../../../ledger-format/personal-data.js';
import { RECURRING_STATUSES } from '../../../ledger-format/recurring-status.js';
import type { RecurringPayment } from '../recurring-payment.model.js';

/** Every status besides that of active payments, which keep their personal data. */
export const NOT_ACTIVE = RECURRING_STATUSES.filter((status) => status !== 'ACTIVE');

export type PaymentPlace = Pick<RecurringPayment, 'created' | 'pre_key'>;
/** `is_old` is 1 if it has personal data and was not paid since the day. */
export type OldPayment = PaymentPlace & { readonly is_old: number };

export interface MadeBefore {
  readonly vendor_id: number;
  readonly status: (typeof NOT_ACTIVE)[number];
  /** Excluded. */
  readonly day: string;
  /** Excluded; null from the first on. */
  readonly after: PaymentPlace | null;
}

const IS_PERSONAL = Object.entries(PERSONAL_OF_RECURRING_PAYMENT)
  .map(([column, empty]) => (empty === null ? `${column} IS NOT NULL` : `${column} <> ''`))
  .join(' OR ');

/** The SQL of recurring payments whose personal data has had its time. By hand: it goes through whole lists. */
@Injectable()
export class OldPaymentsRepository {
  /** The next ones that were made before a day, oldest first. */
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
