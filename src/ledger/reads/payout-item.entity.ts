import { recordOf } from '../../platform/values/record-of.js';
import { key, money, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';
import { PAYOUT_ITEM_TEXTS } from '../records/transaction.record.js';

/**
 * Stores the share of one payee in a transaction. `position` is its place in the list of the ledger
 * file, from 1.
 */
export const PayoutItemEntity = entityOf({
  name: 'PayoutItem',
  tableName: 'payout_items',
  columns: {
    vendor_id: key(wholeNumber()),
    arrival: key(wholeNumber()),
    position: key(wholeNumber()),
    payee_amount: money(),
    payee_user_id: wholeNumber(),
    ...recordOf(PAYOUT_ITEM_TEXTS, () => text()),
  },
});
export type StoredPayoutItem = EntityRow<typeof PayoutItemEntity>;
