import type { TestLedger } from '../builders/test-ledger.js';

/** Tables whose rows are all of one vendor, and those that are looked at as a whole. */
const OF_VENDORS = [
  ...['transactions', 'recurring_payments', 'tracking_values', 'changed_records', 'upstreams'],
] as const;
const OF_ALL = [
  ...['webhook_deliveries', 'upstream_reads', 'audit_log', 'erased_people', 'person_keys'],
  ...['recurring_cancels'],
] as const;
const SUMS = [
  ...['sale_counts', 'refund_counts', 'refund_cohorts', 'affiliate_sales', 'vendor_sums'],
  ...['affiliate_day_sums', 'unpaid_commissions', 'recurring_sums', 'payout_items'],
] as const;

/** Every column of every row that may hold a buyer, as text: rendered bytes as what they say. */
export async function dumpOf(ledger: TestLedger, vendor_id: number): Promise<string[]> {
  const lines: string[] = [];
  for (const table of [...OF_VENDORS, ...OF_ALL]) {
    const where = OF_VENDORS.some((name) => name === table) ? `WHERE vendor_id = ${vendor_id}` : '';
    for (const row of await ledger.rows(`SELECT * FROM ${table} ${where}`)) {
      const values = Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? Buffer.from(value).toString() : String(value),
      );
      lines.push(`${table} ${values.join(' ')}`);
    }
  }
  return lines;
}

/** The lines that have one of these values, in any case. */
export function tracesIn(lines: readonly string[], values: readonly string[]): string[] {
  return lines.filter((line) => values.some((value) => line.toLowerCase().includes(value)));
}

/** The counts and sums of all vendors, and the shares of their sales. */
export async function sumsOf(ledger: TestLedger): Promise<unknown> {
  const tables: Record<string, unknown> = {};
  for (const table of SUMS) {
    const rows = await ledger.rows(`SELECT * FROM ${table}`);
    tables[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}
