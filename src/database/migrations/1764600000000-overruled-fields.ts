import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['affiliations', 'overruled', 'TEXT'],
  ['recurring_payments', 'overruled', 'TEXT'],
  ['audit_log', 'source', 'VARCHAR(255)'],
] as const;
/** Entries of the audit log, or rows, at a time. */
const AT_ONCE = 500;
/** What the interface can set of a relationship. */
const FIELDS = [
  'status',
  'delayed_commission',
  'custom_commission',
  'custom_sales_page_url',
  'custom_payment_1st_payout',
  'custom_payment_trial_payout',
] as const;
/** What the interface sets of a relationship that it adds, whatever it was asked for. */
const ALWAYS_SET: readonly string[] = ['status', 'delayed_commission'];

interface Entry {
  readonly id: number;
  readonly user_id: number;
  readonly action: string;
  readonly subject: string;
  readonly state_before: string | null;
  readonly state_after: string;
}

type Fields = Readonly<Record<string, unknown>>;
/** As the service keeps it: `said` is absent where the ledger has not said it. */
type Overruled = Record<string, { readonly said?: unknown }>;

/**
 * What the ledger last said of the fields that the interface has changed since, and the source of an
 * entry of the audit log. What was changed before is found in the audit log, from its end to its
 * beginning: a change still stands where it left what is there now, or what a later one found.
 */
export class OverruledFields1764600000000 implements MigrationInterface {
  readonly name = 'OverruledFields1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, type] of COLUMNS) {
      if (await runner.hasColumn(table, column)) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type} NULL`);
    }
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const entries = await entriesBefore(runner, before);
      for (const entry of entries) {
        if (entry.action === 'affiliation.set') await takeRelationship(runner, entry);
      }
      await takeCancels(runner, entries);
      const last = entries.at(-1);
      if (last === undefined) return;
      before = last.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
  }
}

async function entriesBefore(runner: QueryRunner, id: number): Promise<Entry[]> {
  return (await runner.query(
    `SELECT id, user_id, action, subject, state_before, state_after FROM audit_log
     WHERE id < ? AND action IN ('affiliation.set', 'recurring_payment.cancel')
     ORDER BY id DESC LIMIT ${AT_ONCE}`,
    [id],
  )) as Entry[];
}

async function takeRelationship(runner: QueryRunner, entry: Entry): Promise<void> {
  const after = JSON.parse(entry.state_after) as Fields;
  const before = entry.state_before === null ? null : (JSON.parse(entry.state_before) as Fields);
  const key = [after.affiliate_id, after.product_id];
  const where = 'WHERE affiliate_id = ? AND product_id = ?';
  const [row] = (await runner.query(
    `SELECT overruled, ${FIELDS.join(', ')} FROM affiliations ${where}`,
    key,
  )) as (Fields & { readonly overruled: string | null })[];
  if (row === undefined) return;
  const known = row.overruled === null ? {} : (JSON.parse(row.overruled) as Overruled);
  if (Object.values(known).some((field) => !('said' in field))) return;
  const saidOf = (name: string) => asText(name in known ? known[name]?.said : row[name]);
  if (!FIELDS.every((name) => asText(after[name]) === saidOf(name))) return;
  const overruled = before === null ? unsaid(row) : saidBefore(before, row);
  if (Object.keys(overruled).length === 0) return;
  const values = [JSON.stringify(overruled), ...key];
  await runner.query(`UPDATE affiliations SET overruled = ? ${where}`, values);
}

/** Of a relationship that the interface added the ledger has said nothing. */
function unsaid(row: Fields): Overruled {
  const set = FIELDS.filter((name) => ALWAYS_SET.includes(name) || row[name] !== null);
  return Object.fromEntries(set.map((name) => [name, {}]));
}

function saidBefore(before: Fields, row: Fields): Overruled {
  const changed = FIELDS.filter((name) => asText(before[name]) !== asText(row[name]));
  return Object.fromEntries(changed.map((name) => [name, { said: before[name] }]));
}

/** The log holds true and false, a row 1 and 0; a driver may give a number as text. */
function asText(value: unknown): string {
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

/** A number of a payment need not be unique over vendors. */
async function takeCancels(runner: QueryRunner, entries: readonly Entry[]): Promise<void> {
  const cancels = entries.flatMap(({ action, subject, user_id }) => {
    const [, id] = /^recurring payment (\d+)$/.exec(subject) ?? [];
    return action === 'recurring_payment.cancel' && id !== undefined ? [[Number(id), user_id]] : [];
  });
  if (cancels.length === 0) return;
  const vendor = '(SELECT vendor_id FROM products p WHERE p.id = recurring_payments.product_id)';
  await runner.query(
    `UPDATE recurring_payments SET overruled = ?
     WHERE status = 'CANCELED' AND overruled IS NULL
       AND id IN (${cancels.map(() => '?').join(', ')})
       AND (${cancels.map(() => `(id = ? AND ${vendor} = ?)`).join(' OR ')})`,
    ['{"status":{"said":"ACTIVE"}}', ...cancels.map(([id]) => id), ...cancels.flat()],
  );
}
