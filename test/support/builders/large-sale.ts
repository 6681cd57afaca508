import { TRACKING_FIELDS } from '../../../src/ledger-format/transaction-fields.js';

/** Three bytes. */
const WIDE = '漢';

/** The longest texts that are stored: about 170 KiB of JSON. */
export const LARGE_TRACKING = Object.fromEntries(
  TRACKING_FIELDS.map((field) => [field, WIDE.repeat(field === 'other_params' ? 16_000 : 2_048)]),
);
