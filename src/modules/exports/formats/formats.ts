import { CSV_TYPE, type CsvStyle } from '../../../common/csv.js';
import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';
import type { ExportFormat } from '../export.model.js';
import { csvOf } from './csv-export.js';
import { ndjsonOf } from './ndjson-export.js';
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
  csv: { type: CSV_TYPE, isCompressible: true, chunksOf: csvOf },
  // The pages of a Parquet file are already compressed.
  parquet: { type: 'application/vnd.apache.parquet', isCompressible: false, chunksOf: parquetOf },
};
