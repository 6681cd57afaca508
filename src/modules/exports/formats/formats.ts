import { CSV_TYPE, csvFile, type CsvStyle } from '../../../common/csv.js';
import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';
import { RenderedResults } from '../../transactions/rendered/rendered-results.model.js';
import { CSV_COLUMNS } from '../../transactions/transaction-columns.model.js';
import type { ExportFormat } from '../export.model.js';
import { parquetOf } from './parquet-export.js';

interface Format {
  readonly type: string;
  readonly isCompressible: boolean;
  readonly chunksOf: (
    walk: WalkedTransactions,
    csvStyle: CsvStyle,
  ) => AsyncGenerator<string | Uint8Array>;
}

export const FORMATS: Readonly<Record<ExportFormat, Format>> = {
  ndjson: { type: 'application/x-ndjson', isCompressible: true, chunksOf: ndjsonOf },
  csv: {
    type: CSV_TYPE,
    isCompressible: true,
    chunksOf: (walk, style) => csvFile(CSV_COLUMNS, style, walk.columns()),
  },
  // The pages of a Parquet file are already compressed.
  parquet: { type: 'application/vnd.apache.parquet', isCompressible: false, chunksOf: parquetOf },
};

/** Yields the objects of API 3.0, one on each line. */
async function* ndjsonOf(walk: WalkedTransactions): AsyncGenerator<Uint8Array> {
  for await (const batch of walk.listed()) yield RenderedResults.linesOf(batch);
}
