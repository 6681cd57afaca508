import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import polars from 'nodejs-polars';
import { readParquet, writeParquet } from 'parquet-wasm';

export interface ParquetRows {
  /** Decimals and integers are text. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly types: Readonly<Record<string, unknown>>;
}

/**
 * Reads a Parquet file with DuckDB.
 * @param sql a query on the view `file`
 */
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

/**
 * Reads the rows with hyparquet: decimals become numbers, integers bigints, and date-times Dates.
 */
export function rowsOfHyparquet(bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: Uint8Array.from(bytes).buffer });
}

/** Reads the file with arrow-rs, the reader of parquet-wasm, and writes it again. */
export function rewrittenByArrow(bytes: Uint8Array): Uint8Array {
  return writeParquet(readParquet(bytes));
}

/** Reads the file with polars and writes it again. */
export function rewrittenByPolars(bytes: Buffer): Uint8Array {
  return polars.readParquet(bytes).writeParquet();
}

/** Returns the decimal columns that have a dictionary in some row group. */
export function decimalsInDictionaries(bytes: Uint8Array): string[] {
  const { schema, row_groups } = parquetMetadata(Uint8Array.from(bytes).buffer);
  const decimals = new Set(
    schema.filter((each) => each.converted_type === 'DECIMAL').map(({ name }) => name),
  );
  const chunks = row_groups.flatMap(({ columns }) => columns.map((column) => column.meta_data));
  return chunks
    .filter((chunk) => chunk?.encodings.includes('RLE_DICTIONARY'))
    .map((chunk) => chunk?.path_in_schema.join('.') ?? '')
    .filter((name) => decimals.has(name));
}
