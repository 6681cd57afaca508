import { EntitySchema } from 'typeorm';
import type { PayoutItemRecord } from '../../ledger-format/transaction.record.js';
import { key, money, text, wholeNumber, type Column } from '../../database/columns.js';

/** Lists the columns that a payout item of a ledger file fills. */
export const PAYOUT_ITEM_COLUMNS = [
  'payee_amount',
  'payee_user_id',
  'payee_name',
  'payout_type',
  'payment_processor',
  'payout_status',
] as const;

export interface StoredPayoutItem extends PayoutItemRecord {
  readonly vendor_id: number;
  readonly arrival: number;
  readonly position: number;
}

/**
 * Stores the share of one payee in a transaction. `position` is its place in the list of the ledger
 * file, from 1.
 */
export const PayoutItemEntity = new EntitySchema<StoredPayoutItem>({
  name: 'PayoutItem',
  tableName: 'payout_items',
  columns: {
    vendor_id: key(wholeNumber()),
    arrival: key(wholeNumber()),
    position: key(wholeNumber()),
    payee_amount: money(),
    payee_user_id: wholeNumber(),
    payee_name: text(),
    payout_type: text(),
    payment_processor: text(),
    payout_status: text(),
  } satisfies Record<keyof StoredPayoutItem, Column>,
});
