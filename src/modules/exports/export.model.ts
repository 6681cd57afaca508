import type { CsvStyle } from '../../platform/files/csv.js';
import type { SentFile } from '../../api/envelope/rendered-answer.js';
import type { Reader } from '../../platform/database/database.js';
import type { Transaction } from '../../ledger/reads/transaction.model.js';

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** An export request selects the list of API 3.0 in a range of whole days. */
export interface ExportRequest {
  readonly vendor_id: number;
  /** First and last day in UTC, or null for all transactions. */
  readonly range: { readonly start_date: string; readonly end_date: string } | null;
  readonly format: ExportFormat;
  /** Style of a CSV file, by default `machine`. */
  readonly csvStyle?: CsvStyle | undefined;
  /** False to leave out transactions that were refunded but not sold in the range. */
  readonly withRefunds: boolean;
  /** True if personal data is left out. */
  readonly isMasked: boolean;
}

/** A list export request is for another list of a vendor's transactions, such as a filtered one. */
export interface ListExportRequest {
  readonly vendor_id: number;
  /** Name of the file, without the file extension. */
  readonly name: string;
  readonly format: ExportFormat;
  /** Yields the list in batches. @param snapshot snapshot from which all batches are read */
  readonly batches: (snapshot: Reader) => AsyncGenerator<readonly Transaction[]>;
}

/** An export file is a started export from one state of the ledger. */
export interface ExportFile extends SentFile {
  /** Cursor from which the feed of changes continues. */
  readonly cursor: number;
  /**
   * Aborts when nothing more may be sent, because the snapshot was kept too long or the client is
   * too slow.
   */
  readonly expired: AbortSignal;
}

export interface CountedExport extends ExportFile {
  /** Exact number of transactions. */
  readonly count: number;
}
