import type { CsvStyle } from '../../common/csv.js';
import type { Reader } from '../../database/database.js';
import type { Transaction } from '../transactions/transaction.model.js';

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What is exported: the list of 3.0 in a range of whole days. */
export interface ExportRequest {
  readonly vendor_id: number;
  /** Null for all transactions. */
  readonly range: { readonly start_date: string; readonly end_date: string } | null;
  readonly format: ExportFormat;
  /** The style of a CSV file; `machine` if absent. */
  readonly csvStyle?: CsvStyle | undefined;
  /** False to leave out what was only refunded in the range. */
  readonly withRefunds: boolean;
  /** True if personal data is left out. */
  readonly isMasked: boolean;
}

/** Another list of a vendor's transactions, such as a filtered one. */
export interface ListExportRequest {
  readonly vendor_id: number;
  /** Without the ending of the format. */
  readonly name: string;
  readonly format: ExportFormat;
  /** The list, in batches. @param snapshot that all of them are read from */
  readonly batches: (snapshot: Reader) => AsyncGenerator<readonly Transaction[]>;
}

/** An export that was begun, of one state of the ledger. */
export interface ExportFile {
  /** `transactions-2025-06-01-to-2025-06-30.csv` */
  readonly name: string;
  readonly type: string;
  /** Where the feed of changes goes on. */
  readonly cursor: number;
  /** False if compression gains nothing. */
  readonly isCompressible: boolean;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Aborts when nothing more may be sent: the state has been kept too long, or the client is too slow. */
  readonly expired: AbortSignal;
}

export interface CountedExport extends ExportFile {
  /** The exact number of transactions. */
  readonly count: number;
}
