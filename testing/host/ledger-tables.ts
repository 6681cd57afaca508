import { KEPT_SUMS } from '../../src/ledger/sums/kept-sums.repository.js';

/** Tables of a vendor's ledger. Each has the vendor in its key. */
export const LEDGER_TABLES: readonly string[] = [
  'transactions',
  'payout_items',
  'ledger_revisions',
  'tracking_sums',
  'tracking_values',
  'vendor_affiliates',
  'vendor_users',
  ...KEPT_SUMS.filter(({ key }) => key.includes('vendor_id')).map(({ table }) => table),
];
