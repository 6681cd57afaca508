import type { TestService } from '../servers/service.js';
import { TestLedger, type Dump } from './test-ledger.js';

const ORDER_OF_ARRIVAL = ['ledger_revisions', 'ledger_arrivals'];

/**
 * Returns all tables of a ledger, without revisions, the order of arrival, and the sequence and the
 * reasons of changes.
 */
export async function stateOf({ database }: Pick<TestService, 'database'>): Promise<Dump> {
  const ledger = TestLedger.on(database);
  const dump = await ledger.dump();
  await ledger.close();
  const tables = Object.fromEntries(
    Object.entries(dump).filter(([table]) => !ORDER_OF_ARRIVAL.includes(table)),
  );
  const { transactions = [], payout_items = [] } = tables;
  const idOf = new Map(
    transactions.map((row) => [`${row.vendor_id}/${row.arrival}`, String(row.transaction_id)]),
  );
  const byId = (rows: typeof transactions) =>
    rows
      .map(({ sequence: _place, reasons: _reasons, ...row }) => {
        return { ...row, arrival: idOf.get(`${row.vendor_id}/${row.arrival}`) ?? 'of nothing' };
      })
      .sort((left, right) => (left.arrival < right.arrival ? -1 : 1));
  return { ...tables, transactions: byId(transactions), payout_items: byId(payout_items) };
}
