import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['affiliations', 'overruled', 'TEXT NULL'],
  ['recurring_payments', 'overruled', 'TEXT NULL'],
  ['audit_log', 'source', 'VARCHAR(255) NULL'],
];
/** Entries of the audit log that are read at a time. */
const BATCH_SIZE = 500;
/** The fields of affiliate terms that the API can set. */
const FIELDS = [
  'status',
  'delayed_commission',
  'custom_commission',
  'custom_sales_page_url',
  'custom_payment_1st_payout',
  'custom_payment_trial_payout',
] as const;
/** The fields that the API always sets when it creates affiliate terms. */
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
/**
 * Holds overruled values as the service stores them: `said` is the value in the ledger, absent if
 * the ledger has none.
 */
type Overruled = Record<string, { readonly said?: unknown }>;

/**
 * Adds the last ledger values of fields that the API has changed since, and the source of audit
 * entries. Earlier changes are reconstructed from the audit log, from newest to oldest: a change is
 * still in effect if it left the current value, or the value from which a later change in effect
 * started.
 */
export class OverruledFields1764600000000 implements MigrationInterface {
  readonly name = 'OverruledFields1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const entries = await entriesBefore(runner, before);
      for (const entry of entries) {
        if (entry.action === 'affiliation.set') await restoreRelationship(runner, entry);
      }
      await restoreCancels(runner, entries);
      const last = entries.at(-1);
      if (last === undefined) return;
      before = last.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}

async function entriesBefore(runner: QueryRunner, id: number): Promise<Entry[]> {
  return (await runner.query(
    `SELECT id, user_id, action, subject, state_before, state_after FROM audit_log
     WHERE id < ? AND action IN ('affiliation.set', 'recurring_payment.cancel')
     ORDER BY id DESC LIMIT ${BATCH_SIZE}`,
    [id],
  )) as Entry[];
}

async function restoreRelationship(runner: QueryRunner, entry: Entry): Promise<void> {
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

/**
 * Returns the fields of affiliate terms that the API created, for which the ledger has no values.
 */
function unsaid(row: Fields): Overruled {
  const set = FIELDS.filter((name) => ALWAYS_SET.includes(name) || row[name] !== null);
  return Object.fromEntries(set.map((name) => [name, {}]));
}

function saidBefore(before: Fields, row: Fields): Overruled {
  const changed = FIELDS.filter((name) => asText(before[name]) !== asText(row[name]));
  return Object.fromEntries(changed.map((name) => [name, { said: before[name] }]));
}

/**
 * Makes values comparable: the log has true and false, a row 1 and 0; a driver may return numbers
 * as text.
 */
function asText(value: unknown): string {
  return typeof value === 'boolean' ? String(Number(value)) : String(value);
}

/**
 * Restores cancellations. Subscriptions are found by vendor and id, since their ids are only unique
 * per vendor.
 */
async function restoreCancels(runner: QueryRunner, entries: readonly Entry[]): Promise<void> {
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
