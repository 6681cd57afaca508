import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';

export interface ParquetRows {
  /** Decimals and integers as text. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly types: Readonly<Record<string, unknown>>;
}

/** What DuckDB reads from a Parquet file. @param sql on the view `file` */
export async function rowsOfParquet(bytes: Buffer, sql: string): Promise<ParquetRows> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-parquet-'));
  const path = join(folder, 'file.parquet');
  writeFileSync(path, bytes);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(`CREATE VIEW file AS SELECT * FROM '${path}'`);
    const reader = await connection.runAndReadAll(sql);
    const columns = await connection.runAndReadAll('DESCRIBE file');
    return {
      rows: reader.getRowObjectsJson(),
      types: Object.fromEntries(
        columns.getRowsJson().map(([name, type]) => [typeof name === 'string' ? name : '', type]),
      ),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true, force: true });
  }
}
