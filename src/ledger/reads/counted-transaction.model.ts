import type { Column } from '../../platform/files/csv.js';
import { formatCents } from '../../platform/values/money.js';
import type { ListedTransaction } from './rendered-transaction.model.js';
import type { Transaction } from './transaction.model.js';

/** The first payment of a subscription and any other sale, or a later payment of a subscription. */
export type PaymentKind = 'sale' | 'rebill';

/** A list behind a figure adds this to each transaction. */
export interface Counted {
  readonly payment: PaymentKind;
  /** How much of the transaction the figure counts, in cents. */
  readonly in_period: bigint;
}

/** A transaction of a list behind a figure. */
export interface CountedTransaction extends Transaction, Counted {}

/**
 * Returns the columns that files of such a list have after those of the transactions.
 * @param currency currency of the amounts; empty if none is set
 */
export function countedColumns(currency: string): readonly Column<CountedTransaction>[] {
  return [
    { name: 'kind', kind: 'word', valueOf: ({ payment }) => payment },
    { name: 'currency', kind: 'text', valueOf: () => (currency === '' ? null : currency) },
    { name: 'in_period', kind: 'money', valueOf: ({ in_period }) => in_period },
  ];
}

/** Returns a transaction as JSON, with the fields that its list adds. */
export function withCounted(
  listed: ListedTransaction,
  { payment, in_period }: Counted,
  currency: string,
): ListedTransaction {
  const fields = {
    kind: payment,
    currency: currency === '' ? null : currency,
    in_period: formatCents(in_period),
  };
  return { ...listed, added: `,${JSON.stringify(fields).slice(1)}` };
}
