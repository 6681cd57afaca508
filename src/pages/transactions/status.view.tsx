import { STATUS_OF_3 } from '../../modules/transactions/status-words.model.js';
import type {
  StoredTransaction,
  TransactionStatus,
} from '../../modules/transactions/transaction.model.js';

/** Shows the status in the words of API 3.0, which CSV files and exports also use. */
export function Status({ of }: { readonly of: TransactionStatus }) {
  const word = STATUS_OF_3[of];
  return <span class={`badge ${word}`}>{word}</span>;
}

export function commissionStatusText(
  status: StoredTransaction['affiliate_commission_status'],
): string {
  return status.toLowerCase().replace('_', ' ');
}
