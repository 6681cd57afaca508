import { STATUS_OF_3, type TransactionStatus } from '../../ledger/reads/transaction.model.js';
import { Badge } from '../../platform/pages/ui/facts.view.js';

/**
 * Returns the status of a transaction in the words of the account pages, which say `paid` for what
 * API 3.0 and files call `settled`.
 */
export function statusText(status: TransactionStatus): string {
  return status === 'completed' ? 'paid' : STATUS_OF_3[status];
}

/** Shows the status of a transaction. */
export function Status({ of }: { readonly of: TransactionStatus }) {
  const word = statusText(of);
  return <Badge style={word}>{word}</Badge>;
}
