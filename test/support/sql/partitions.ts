import { readFileSync } from 'node:fs';
import { openRaw } from './raw-connection.js';

/** Partitions the transactions of a migrated database, as docs/operating/partitions.md describes. */
export async function partition(url: string): Promise<void> {
  await runOn(url, readFileSync('docs/sql/partition-by-month.sql', 'utf8'));
}

/**
 * Removes a month from a partitioned ledger.
 * @param month the month, such as `2024-01`
 */
export async function takeOutMonth(url: string, month: string): Promise<void> {
  const sql = readFileSync('docs/sql/take-out-month.sql', 'utf8');
  const named = sql.replaceAll('2024-01', month);
  await runOn(url, named.replaceAll('202401', month.replace('-', '')));
}

async function runOn(url: string, sql: string): Promise<void> {
  const connection = await openRaw(url);
  try {
    for (const statement of sql.replaceAll(/^--.*\n/gm, '').split(';\n')) {
      if (statement.trim() !== '') await connection.run(statement);
    }
  } finally {
    await connection.close();
  }
}
