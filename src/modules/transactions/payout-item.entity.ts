import { EntitySchema } from 'typeorm';
import { recordOf } from '../../common/record-of.js';
import {
  PAYOUT_ITEM_TEXTS,
  type PayoutItemRecord,
} from '../../ledger-format/transaction.record.js';
import { key, money, text, wholeNumber, type Column } from '../../database/columns.js';

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
    ...recordOf(PAYOUT_ITEM_TEXTS, () => text()),
  } satisfies Record<keyof StoredPayoutItem, Column>,
});
