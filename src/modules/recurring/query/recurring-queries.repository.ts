import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import {
  emailLookups,
  type EmailLookup,
  lookupsOfEmails,
} from '../../../platform/database/entities/spellings.js';
import { EMAIL_COLUMNS, type RecurringPaymentRow } from '../recurring-payment.entity.js';

/** The columns of a subscription that filters compare. */
export type RecurringKey = Pick<
  RecurringPaymentRow,
  'pre_key' | 'status' | 'status_word' | 'product_id' | 'next_date'
>;

const SELECT_KEYS =
  'SELECT pre_key, status, status_word, product_id, next_date FROM recurring_payments';

/** The number of subscriptions with an e-mail address, and of the active ones among them. */
export interface RecurringCounts {
  readonly all: number;
  readonly active: number;
}

interface CountsRow extends Pick<RecurringCounts, 'active'> {
  readonly email: string;
  readonly found: number;
}

/**
 * Reads the keys of a vendor's subscriptions with hand-written SQL, in the order of the keys. Each
 * look-up reads a range of one index: of all subscriptions, or of those with an e-mail address.
 */
@Injectable()
export class RecurringQueriesRepository {
  async keysAfter(
    reader: Reader,
    vendor_id: number,
    email: string | null,
    after: string,
    take: number,
  ): Promise<RecurringKey[]> {
    const lookups: readonly EmailLookup[] =
      email === null
        ? [{ sql: 'vendor_id = ?', values: [vendor_id] }]
        : emailLookups(EMAIL_COLUMNS, { vendor_id, email });
    const parts = lookups.map(
      ({ sql }, at) =>
        `SELECT * FROM (${SELECT_KEYS} WHERE ${sql} AND pre_key > ? ORDER BY pre_key LIMIT ?) part_${at}`,
    );
    return reader.select<RecurringKey>(
      `SELECT * FROM (${parts.join(' UNION ALL ')}) found ORDER BY pre_key LIMIT ?`,
      [...lookups.flatMap(({ values }) => [...values, after, take]), take],
    );
  }

  /**
   * Counts the subscriptions with each of these e-mail addresses. Addresses without any are left
   * out.
   */
  async counts(
    reader: Reader,
    vendor_id: number,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, RecurringCounts>> {
    const lookups = lookupsOfEmails(EMAIL_COLUMNS, { vendor_id, emails });
    const parts = lookups.map(
      ({ column, sql }) =>
        `SELECT ${column} AS email, COUNT(*) AS found,
            COUNT(CASE WHEN status = 'ACTIVE' THEN 1 END) AS active
          FROM recurring_payments WHERE ${sql} GROUP BY ${column}`,
    );
    const rows = await reader.select<CountsRow>(
      `SELECT email, CAST(SUM(found) AS SIGNED) AS found, CAST(SUM(active) AS SIGNED) AS active
        FROM (${parts.join(' UNION ALL ')}) parts GROUP BY email`,
      lookups.flatMap(({ values }) => values),
    );
    return new Map(rows.map(({ email, found, active }) => [email, { all: found, active }]));
  }
}
