import type { PageRequest } from '../../api/validation/paging.js';
import { columnsWith, type TransactionColumns } from '../columns.js';
import { PERSONAL_OF_TRANSACTION } from '../records/personal-data.js';

/**
 * Lists the personal fields of a transaction, including the derived e-mail address at the payment
 * processor.
 */
const PERSONAL = { ...PERSONAL_OF_TRANSACTION, processor_email: '' } as const;

/** Lists the statuses of the ledger. Each API version has its own words for them. */
export type TransactionStatus = TransactionColumns['status'];

type Words = Readonly<Record<TransactionStatus, string>>;

/** Maps the statuses to the words of API 3.0. */
export const STATUS_OF_3 = {
  pending: 'pending',
  completed: 'settled',
  refunded: 'refunded',
  charged_back: 'chargeback',
} as const satisfies Words;

/** Maps the words of API 3.0 to the statuses. */
export const STATUSES_BY_WORD: ReadonlyMap<string, TransactionStatus> = new Map(
  (['completed', 'pending', 'refunded', 'charged_back'] as const).map(
    (status): [string, TransactionStatus] => [STATUS_OF_3[status], status],
  ),
);

/** Maps the statuses to the words of API 2.1 and 2.0. */
export const STATUS_OF_2 = {
  pending: 'PENDING',
  completed: 'COMPLETED',
  refunded: 'REFUNDED',
  charged_back: 'CHARGEBACK',
} as const satisfies Words;

/**
 * Describes a row of the table `transactions`. Money is in cents, date-times are in UTC
 * (src/platform/values/time.ts).
 */
export interface StoredTransaction extends TransactionColumns {
  readonly vendor_id: number;
  readonly arrival: number;
  readonly refunded_sale_date: string | null;
  readonly rendered: Uint8Array | null;
  readonly record_version: number | null;
  /**
   * Sequence of the latest change; null if the transaction has not changed since the feed of
   * changes was introduced, so that `arrival` applies.
   */
  readonly sequence: number | null;
  readonly changed_at: string | null;
  /**
   * Reasons of its changes, as `reasonsText` returns them; null if it has not changed since it
   * arrived, so that its state shows them.
   */
  readonly reasons: string | null;
}

/** Lists the columns that the 3.0 API and the reports read. */
export const LISTED_COLUMNS = [
  'vendor_id',
  'arrival',
  ...columnsWith({ list: true }),
] as const satisfies readonly (keyof StoredTransaction)[];

/** Describes a transaction as it is read, at a revision of its vendor's ledger. */
export interface Transaction extends Pick<StoredTransaction, (typeof LISTED_COLUMNS)[number]> {
  readonly revision: number;
  readonly affiliate_display_name: string | null;
  /** The display name, or the name if there is none. */
  readonly affiliate_name: string | null;
}

/** Describes the position of a transaction in the order of sale date, then vendor, then arrival. */
export type LedgerPosition = Pick<StoredTransaction, 'sale_date' | 'vendor_id' | 'arrival'>;

/** Selects a page of a vendor's transactions in a range of whole UTC days, both included. */
export interface ListCriteria {
  readonly vendor_id: number;
  readonly start_date: string;
  readonly end_date: string;
  readonly page: PageRequest;
  /** True if personal data is left out. */
  readonly isMasked: boolean;
}

/** Returns a transaction, in the form of any API version, without the customer's personal data. */
export function maskTransaction<Row extends object>(row: Row): Row {
  const personal: Readonly<Record<string, unknown>> = PERSONAL;
  const names = Object.keys(row).filter((name) => name in personal);
  return { ...row, ...Object.fromEntries(names.map((name) => [name, personal[name]])) };
}
