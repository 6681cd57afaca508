import { Injectable } from '@nestjs/common';
import { Database, type Reader, type Session } from '../../../database/database.js';
import type { EmailLookup } from '../../../database/spellings.js';
import { PERSONAL_RECURRING_PAYMENTS } from '../../../ledger-format/personal-data.js';
import { EMAIL_COLUMNS } from '../recurring-payment.entity.js';
import type { RecurringPayment } from '../recurring-payment.model.js';
import { RecurringRepository } from '../recurring.repository.js';
import { RecurringService } from '../recurring.service.js';
import { PersonSubscriptionsRepository } from './person-subscriptions.repository.js';

const PAGE = 200;
const AT_ANY_TIME = '9999-12-31 23:59:59';
/** Maximum number of distinct e-mail addresses in one read. */
const EMAILS = 5_000;

interface Person {
  readonly vendor_id: number;
  /** E-mail address. The case of the letters A to Z does not matter. */
  readonly email: string;
}

/**
 * Finds and erases the subscriptions of a person: those that have the person's e-mail address in
 * one of their three e-mail fields.
 */
@Injectable()
export class PersonSubscriptionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: PersonSubscriptionsRepository,
    private readonly payments: RecurringRepository,
    private readonly recurring: RecurringService,
  ) {}

  async count(person: Person): Promise<number> {
    let count = 0;
    for await (const payments of this.records(person)) count += payments.length;
    return count;
  }

  /** Yields all subscriptions of the person, each once, in batches. */
  async *records(person: Person): AsyncGenerator<readonly RecurringPayment[]> {
    for (const lookup of this.repository.lookups(person)) {
      for await (const keys of this.walk(this.database, lookup)) {
        yield this.payments.paymentsByKeys(this.database, keys);
      }
    }
  }

  /**
   * Returns whether the ledger has a subscription of the person that was created at `until` or
   * earlier.
   */
  async has(
    reader: Reader,
    { until, ...person }: Person & { readonly until: string },
  ): Promise<boolean> {
    for (const lookup of this.repository.lookups(person)) {
      const found = await this.repository.keysAfter(reader, lookup, { after: '', until }, 1);
      if (found.length > 0) return true;
    }
    return false;
  }

  /**
   * Erases up to `take` of the person's subscriptions in a locked ledger.
   * @param until latest creation, in UTC; subscriptions created later stay as they are
   * @returns the number of erased subscriptions; if it is below `take`, none is left
   */
  async erase(
    session: Session,
    { until, address, ...person }: Person & { readonly until: string; readonly address: string },
    take: number,
  ): Promise<number> {
    const keys: string[] = [];
    for (const lookup of this.repository.lookups(person)) {
      if (keys.length >= take) break;
      const from = { after: '', until };
      keys.push(...(await this.repository.keysAfter(session, lookup, from, take - keys.length)));
    }
    const stored = await this.recurring.lockedPayments(session, keys);
    if (stored.length === 0) return 0;
    await this.recurring.savePayments(
      session,
      stored.map((payment) => {
        const content = PERSONAL_RECURRING_PAYMENTS.erased(payment.content, address);
        return { ...payment, before: payment.content, content };
      }),
    );
    return keys.length;
  }

  /** Yields all e-mail addresses of a vendor's subscriptions, in batches. */
  async *emails(vendor_id: number): AsyncGenerator<readonly string[]> {
    for (const column of EMAIL_COLUMNS) {
      for (let email: string | undefined = ''; email !== undefined;) {
        const found: string[] = await this.repository.emailsAfter(
          { column, vendor_id, email },
          EMAILS,
        );
        if (found.length > 0) yield found;
        email = found.at(-1);
      }
    }
  }

  private async *walk(reader: Reader, lookup: EmailLookup): AsyncGenerator<string[]> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const range = { after, until: AT_ANY_TIME };
      const keys: string[] = await this.repository.keysAfter(reader, lookup, range, PAGE);
      if (keys.length > 0) yield keys;
      after = keys.at(-1);
    }
  }
}
