import type { RawConnection } from '../sql/raw-connection.js';
import { dialect } from '../sql/test-database.js';
import { recurringPayment, transaction } from './ledger-records.js';
import { WHOLE } from './whole-sale.js';

/** Each personal value begins with this mark, followed by the id of its record. */
export const MARK = 'Quillonia';

/** Returns a sale whose personal fields each contain the mark, the id and the field's name. */
export function markedSale(
  id: string,
  product_id: number,
  sale_date: string,
  more: object = {},
): object {
  const marked = (field: string) => `${MARK}-${id}-${field}`;
  const delivery = Object.fromEntries(
    Object.keys(WHOLE.delivery).map((field) => [field, marked(field)]),
  );
  return transaction(id, product_id, {
    sale_date,
    affiliate_id: 3,
    amount: '47.00',
    delivery,
    customer: {
      email: `${marked('email')}@private.example`,
      first_name: marked('first'),
      last_name: marked('last'),
      ip: '198.51.100.177',
      phone: marked('phone'),
      processor_email: `${marked('processor')}@private.example`,
    },
    tracking: {
      vtid: marked('vtid'),
      custom: marked('custom'),
      other_params: marked('other'),
      tid: 'kept-tid',
    },
    ...more,
  });
}

export function markedAgreement(pre_key: string, more: object = {}): object {
  const marked = (field: string) => `${MARK}-${pre_key}-${field}`;
  return recurringPayment(pre_key, 10, {
    created: '2025-01-01T00:00:00Z',
    last_date: '2025-02-01T00:00:00Z',
    status: 'CANCELED',
    processor_email: marked('a'),
    contact_email: marked('b'),
    sender_email: marked('c'),
    ip: '198.51.100.177',
    referrer: marked('d'),
    vtid: marked('e'),
    ...more,
  });
}

/** Returns the ids of the records whose personal data is in a text. */
export function markedInText(text: string): string[] {
  const marks = text.matchAll(new RegExp(`${MARK}-((?:\\w+-)?\\w+?)-[a-z_0-9]+`, 'g'));
  return [...new Set(Array.from(marks, ([, id = '']) => id))].sort();
}

/** Returns the ids of the records whose personal data is in any table and column. */
export async function markedInTables(raw: RawConnection): Promise<string[]> {
  const sql =
    dialect === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()';
  const texts: string[] = [];
  for (const { name } of await raw.rows(sql)) {
    const rows = await raw.rows(`SELECT * FROM ${String(name)}`);
    texts.push(...rows.flatMap((row) => Object.values(row).map(String)));
  }
  return markedInText(texts.join('\n'));
}
