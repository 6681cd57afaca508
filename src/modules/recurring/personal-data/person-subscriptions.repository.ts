import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../database/database.js';
import { emailLookups, type EmailLookup } from '../../../database/spellings.js';
import { EMAIL_COLUMNS, type RecurringPaymentRow } from '../recurring-payment.entity.js';

/** Describes a position among the e-mail addresses in a column of a vendor's subscriptions. */
export interface EmailPosition {
  readonly column: (typeof EMAIL_COLUMNS)[number];
  readonly vendor_id: number;
  readonly email: string;
}

/**
 * Finds the subscriptions of a person. The SQL is hand-written, so that each statement reads a
 * range of one index.
 */
@Injectable()
export class PersonSubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** Returns look-ups that together find each subscription of a person once. */
  lookups(person: { readonly vendor_id: number; readonly email: string }): EmailLookup[] {
    return emailLookups(EMAIL_COLUMNS, person);
  }

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

  /** Returns the next e-mail addresses of a column after this one. */
  async emailsAfter({ column, vendor_id, email }: EmailPosition, take: number): Promise<string[]> {
    const rows = await this.database.select<{ readonly email: string }>(
      `SELECT DISTINCT ${column} AS email FROM recurring_payments
        WHERE vendor_id = ? AND ${column} > ? ORDER BY ${column} LIMIT ?`,
      [vendor_id, email, take],
    );
    return rows.map((row) => row.email);
  }
}
