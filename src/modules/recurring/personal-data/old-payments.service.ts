import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../../common/time.js';
import { Database, type Session } from '../../../database/database.js';
import { PERSONAL_RECURRING_PAYMENTS as PERSONAL } from '../../../ledger-format/personal-data.js';
import { RecurringService } from '../recurring.service.js';
import {
  NOT_ACTIVE,
  OldPaymentsRepository,
  type MadePayment,
  type PaymentPlace,
} from './old-payments.repository.js';

/**
 * Removes the personal data of subscriptions that are not active, and that were neither created nor
 * paid since a day.
 */
@Injectable()
export class OldPaymentsService {
  constructor(
    private readonly database: Database,
    private readonly repository: OldPaymentsRepository,
    private readonly recurring: RecurringService,
  ) {}

  /**
   * Yields the keys of old subscriptions with personal data, in batches. A subscription may change
   * before it is emptied.
   */
  async *keysBefore(vendor_id: number, day: string, limit: number): AsyncGenerator<string[]> {
    for (const status of NOT_ACTIVE) {
      let after: PaymentPlace | null = null;
      for (;;) {
        const range = { vendor_id, status, day, after };
        const rows = await this.repository.madeBefore(this.database, range, limit);
        const old = rows.filter((row) => row.is_personal === 1 && isUnpaidSince(row, day));
        if (old.length > 0) yield old.map(({ pre_key }) => pre_key);
        after = rows.at(-1) ?? null;
        if (rows.length < limit) break;
      }
    }
  }

  /**
   * Removes the personal data of subscriptions in a locked ledger.
   * @returns the number that changed; one may have been paid since it was found
   */
  async empty(session: Session, pre_keys: readonly string[], day: string): Promise<number> {
    const stored = await this.recurring.lockedPayments(session, pre_keys);
    const old = stored.filter(({ content }) => PERSONAL.isBefore(content, day));
    if (old.length === 0) return 0;
    await this.recurring.savePayments(
      session,
      old.map((payment) => {
        return { ...payment, before: payment.content, content: PERSONAL.emptied(payment.content) };
      }),
    );
    return old.length;
  }
}

function isUnpaidSince({ last_date }: MadePayment, day: string): boolean {
  return last_date === null || last_date < startOfDay(day);
}
