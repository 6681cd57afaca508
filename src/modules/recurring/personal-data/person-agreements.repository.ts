import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../database/database.js';
import { spellingsOf } from '../../../database/spellings.js';
import { EMAIL_COLUMNS, type RecurringPaymentRow } from '../recurring-payment.entity.js';

type EmailColumn = (typeof EMAIL_COLUMNS)[number];

/** An e-mail as some recurring payments of a vendor have it. */
export interface PaymentSpelling {
  readonly column: EmailColumn;
  readonly vendor_id: number;
  readonly email: string;
}

/** Finds the recurring payments of a person. By hand: each statement is a range of one index. */
@Injectable()
export class PersonAgreementsRepository {
  constructor(private readonly database: Database) {}

  async spellings(reader: Reader, vendor_id: number, email: string): Promise<PaymentSpelling[]> {
    const found: PaymentSpelling[] = [];
    for (const column of EMAIL_COLUMNS) {
      const all = await spellingsOf(email, (from) =>
        this.emailFrom(reader, { column, vendor_id, email: from }),
      );
      found.push(...all.map((spelling) => ({ column, vendor_id, email: spelling })));
    }
    return found;
  }

  /** The next keys of a spelling after this one. @param until of what was agreed until then, in UTC */
  async keysAfter(
    reader: Reader,
    { column, vendor_id, email }: PaymentSpelling,
    { after, until }: { readonly after: string; readonly until: string },
    take: number,
  ): Promise<string[]> {
    const rows = await reader.select<Pick<RecurringPaymentRow, 'pre_key'>>(
      `SELECT pre_key FROM recurring_payments
        WHERE vendor_id = ? AND ${column} = ? AND pre_key > ? AND created <= ?
        ORDER BY pre_key LIMIT ?`,
      [vendor_id, email, after, until, take],
    );
    return rows.map(({ pre_key }) => pre_key);
  }

  /** The next e-mails of a column after this text. */
  async emailsAfter(
    { column, vendor_id, email }: PaymentSpelling,
    take: number,
  ): Promise<string[]> {
    const rows = await this.database.select<{ readonly email: string }>(
      `SELECT DISTINCT ${column} AS email FROM recurring_payments
        WHERE vendor_id = ? AND ${column} > ? ORDER BY ${column} LIMIT ?`,
      [vendor_id, email, take],
    );
    return rows.map((row) => row.email);
  }

  private async emailFrom(
    reader: Reader,
    { column, vendor_id, email }: PaymentSpelling,
  ): Promise<string | null> {
    const [row] = await reader.select<{ readonly email: string }>(
      `SELECT ${column} AS email FROM recurring_payments WHERE vendor_id = ? AND ${column} >= ?
        ORDER BY ${column} LIMIT 1`,
      [vendor_id, email],
    );
    return row?.email ?? null;
  }
}
