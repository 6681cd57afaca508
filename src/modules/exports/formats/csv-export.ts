import { BYTE_ORDER_MARK, csvRecord } from '../../../common/csv.js';
import { VENDOR_COLUMNS, vendorCells } from '../../transactions/transaction-cells.model.js';
import type { WalkedTransactions } from '../../transactions/list/transaction-walk.model.js';

/** As the account pages write it: RFC 4180, UTF-8 with a byte order mark, texts that begin no formula. */
export async function* csvOf(walk: WalkedTransactions): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(VENDOR_COLUMNS.map((value) => ({ value })));
  for await (const batch of walk.columns()) {
    yield batch.map((transaction) => csvRecord(vendorCells(transaction))).join('');
  }
}
