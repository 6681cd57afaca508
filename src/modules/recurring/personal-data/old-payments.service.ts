import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../database/database.js';
import { PERSONAL_RECURRING_PAYMENTS as PERSONAL } from '../../../ledger-format/personal-data.js';
import { RecurringService } from '../recurring.service.js';
import { NOT_ACTIVE, OldPaymentsRepository, type PaymentPlace } from './old-payments.repository.js';

/** Empties personal data of recurring payments that are not active, and neither made nor paid since a day. */
@Injectable()
export class OldPaymentsService {
  constructor(
    private readonly database: Database,
    private readonly repository: OldPaymentsRepository,
    private readonly recurring: RecurringService,
  ) {}

  /** The keys of those that have personal data, in batches. One may have changed until it is emptied. */
  async *keysBefore(vendor_id: number, day: string, limit: number): AsyncGenerator<string[]> {
    for (const status of NOT_ACTIVE) {
      let after: PaymentPlace | null = null;
      for (;;) {
        const range = { vendor_id, status, day, after };
        const rows = await this.repository.madeBefore(this.database, range, limit);
        const old = rows.filter(({ is_old }) => is_old === 1);
        if (old.length > 0) yield old.map(({ pre_key }) => pre_key);
        after = rows.at(-1) ?? null;
        if (rows.length < limit) break;
      }
    }
  }

  /** Empties them in a locked ledger. @returns how many: one may have been paid since it was found */
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
