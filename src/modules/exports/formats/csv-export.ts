import { csvFile, type CsvStyle } from '../../../common/csv.js';
import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';
import { VENDOR_COLUMNS } from '../../transactions/transaction-columns.model.js';

/** Yields a CSV file with the columns of the list of API 3.0. */
export function csvOf(walk: WalkedTransactions, style: CsvStyle): AsyncGenerator<string> {
  return csvFile(VENDOR_COLUMNS, style, walk.columns());
}
