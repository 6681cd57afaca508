import { KEPT_SUMS } from '../../../src/ledger/sums/kept-sums.repository.js';
import type { TestLedger } from '../builders/test-ledger.js';
import type { RawConnection } from './raw-connection.js';

/** Tables whose rows belong to one vendor each. The tables in OF_ALL are read completely. */
const OF_VENDORS = [
  'transactions',
  'recurring_payments',
  'tracking_values',
  'changed_records',
  'upstreams',
] as const;
const OF_ALL = [
  'webhook_deliveries',
  'upstream_reads',
  'audit_log',
  'erased_people',
  'person_keys',
  'recurring_cancels',
  'upstream_problems',
] as const;
const SUMS = [...KEPT_SUMS.map(({ table }) => table), 'recurring_sums', 'payout_items'];

/** Returns every row that may contain a customer's data as text, with rendered bytes decoded. */
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

/** Returns the lines that contain one of these lowercase values, in upper or lower case. */
export function tracesIn(lines: readonly string[], values: readonly string[]): string[] {
  return lines.filter((line) => values.some((value) => line.toLowerCase().includes(value)));
}

/** Returns the kept sums of all vendors, and the payout items of their sales. */
export async function sumsOf(ledger: TestLedger): Promise<unknown> {
  const tables: Record<string, unknown> = {};
  for (const table of SUMS) {
    const rows = await ledger.rows(`SELECT * FROM ${table}`);
    tables[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

/**
 * Stores this text as the response of a vendor's webhook receiver, and in a problem of the vendor's
 * upstream.
 */
export async function quoteElsewhere(
  raw: Pick<RawConnection, 'run'>,
  vendor_id: number,
  text: string,
): Promise<void> {
  const now = "'2025-06-01 00:00:00'";
  await raw.run(`INSERT INTO webhook_endpoints
    (id, vendor_id, url, state, secret, position, number, failures, next_try, created)
    VALUES (1, ${vendor_id}, 'https://receiver.example/', 'paused', '', 0, 1, 0, ${now}, ${now})`);
  await raw.run(`INSERT INTO webhook_deliveries
    (endpoint_id, number, webhook_id, changes, sent, duration_ms, answer)
    VALUES (1, 1, 'id', 1, ${now}, 1, '${text}')`);
  await raw.run(`INSERT INTO upstreams
    (vendor_id, url, state, secret, token, words, every_seconds, listed, missing, next_try, failures,
     problem, created)
    VALUES (${vendor_id}, 'https://upstream.example/', 'paused', '', '', '', 300, 0, 0, ${now}, 0,
     '${text}', ${now})`);
  await raw.run(`INSERT INTO upstream_problems (upstream_id, subject, kind, text, day, seen)
    SELECT id, 'transaction 1', 'transaction not stored', '${text}', NULL, ${now} FROM upstreams
    WHERE vendor_id = ${vendor_id}`);
}
