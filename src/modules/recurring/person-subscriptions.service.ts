import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../platform/values/time.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import {
  emailLookups,
  emailsIn,
  type EmailLookup,
} from '../../platform/database/entities/spellings.js';
import {
  isErasedAddress,
  PERSONAL_RECURRING_PAYMENTS as PERSONAL,
} from '../../ledger/records/personal-data.js';
import { EMAIL_COLUMNS } from './recurring-payment.entity.js';
import type { Erasure, PersonAtVendor, PersonUntil } from '../transactions/index.js';
import type { RecurringPayment } from './recurring-payment.model.js';
import { RecurringRepository } from './recurring.repository.js';
import { RecurringService } from './recurring.service.js';
import {
  NOT_ACTIVE,
  PersonSubscriptionsRepository,
  type PaymentPlace,
} from './person-subscriptions.repository.js';

const PAGE = 200;
const AT_ANY_TIME = '9999-12-31 23:59:59';

/**
 * Finds and erases the subscriptions of a person: those that have the person's e-mail address in
 * one of their three e-mail fields. It also removes the personal data of subscriptions that are not
 * active, and that were neither created nor paid since a day.
 */
@Injectable()
export class PersonSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: PersonSubscriptionsRepository,
    private readonly payments: RecurringRepository,
    private readonly recurring: RecurringService,
  ) {}

  async count(person: PersonAtVendor): Promise<number> {
    let count = 0;
    for await (const payments of this.records(person)) count += payments.length;
    return count;
  }

  /** Yields all subscriptions of the person, each once, in batches. */
  async *records(person: PersonAtVendor): AsyncGenerator<readonly RecurringPayment[]> {
    for await (const keys of this.keysOf(person)) {
      yield this.payments.paymentsByKeys(this.database, keys);
    }
  }

  /**
   * Returns whether the ledger has a subscription of the person that was created at `until` or
   * earlier.
   */
  async has(reader: Reader, person: PersonUntil): Promise<boolean> {
    return (await this.keysUntil(reader, person, 1)).length > 0;
  }

  /**
   * Erases the person's subscriptions with these keys in a locked ledger.
   * @returns the number of erased subscriptions
   */
  erase(session: Session, { address }: Erasure, keys: readonly string[]): Promise<number> {
    return this.replace(session, keys, (one) => PERSONAL.erased(one, address));
  }

  /** Yields the keys of all subscriptions of the person, each once, in batches. */
  async *keysOf(person: PersonAtVendor): AsyncGenerator<readonly string[]> {
    for (const lookup of emailLookups(EMAIL_COLUMNS, person)) yield* this.walk(lookup);
  }

  /**
   * Returns those of these subscriptions that keep no personal data: their customer is erased, or
   * they ended before a day.
   * @param day null for none
   */
  async withoutPersonalData(keys: readonly string[], day: string | null): Promise<string[]> {
    const payments = await this.payments.paymentsByKeys(this.database, keys);
    return payments
      .filter((payment) => {
        const isOld = day !== null && PERSONAL.isBefore(payment, day);
        return isOld || PERSONAL.emailsOf(payment).some(isErasedAddress);
      })
      .map(({ pre_key }) => pre_key);
  }

  /** Yields all e-mail addresses of a vendor's subscriptions, in batches. */
  emails(vendor_id: number): AsyncGenerator<readonly string[]> {
    return emailsIn(this.database, 'recurring_payments', EMAIL_COLUMNS, vendor_id);
  }

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
        const old = rows
          .filter(({ is_personal }) => is_personal === 1)
          .filter(({ last_date }) => last_date === null || last_date < startOfDay(day));
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
  empty(session: Session, pre_keys: readonly string[], day: string): Promise<number> {
    return this.replace(session, pre_keys, (one) =>
      PERSONAL.isBefore(one, day) ? PERSONAL.emptied(one) : null,
    );
  }

  /**
   * Replaces subscriptions.
   * @param contentOf returns null for a subscription that stays as it is
   * @returns the number of replaced subscriptions
   */
  private async replace(
    session: Session,
    pre_keys: readonly string[],
    contentOf: (payment: RecurringPayment) => RecurringPayment | null,
  ): Promise<number> {
    const keys = pre_keys.map((pre_key) => ({ pre_key }));
    const stored = await this.payments.records.locked(session, keys);
    const changed = stored.flatMap((payment) => {
      const content = contentOf(payment.content);
      return content === null ? [] : [{ ...payment, before: payment.content, content }];
    });
    if (changed.length > 0) await this.recurring.savePayments(session, changed);
    return changed.length;
  }

  /**
   * Returns the keys of up to `take` of the person's subscriptions created at `until` or earlier.
   */
  async keysUntil(reader: Reader, person: PersonUntil, take: number): Promise<string[]> {
    const range = { after: '', until: person.until };
    const keys: string[] = [];
    for (const lookup of emailLookups(EMAIL_COLUMNS, person)) {
      if (keys.length >= take) break;
      keys.push(...(await this.repository.keysAfter(reader, lookup, range, take - keys.length)));
    }
    return keys;
  }

  private async *walk(lookup: EmailLookup): AsyncGenerator<string[]> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const range = { after, until: AT_ANY_TIME };
      const keys: string[] = await this.repository.keysAfter(this.database, lookup, range, PAGE);
      if (keys.length > 0) yield keys;
      after = keys.at(-1);
    }
  }
}
