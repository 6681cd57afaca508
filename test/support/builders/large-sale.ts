import { TRACKING_FIELDS } from '../../../src/ledger/columns.js';

/** A character of three bytes in UTF-8. */
const WIDE = '漢';

/** The longest texts that can be stored, about 170 KiB of JSON. */
export const LARGE_TRACKING = Object.fromEntries(
  TRACKING_FIELDS.map((field) => [field, WIDE.repeat(field === 'other_params' ? 16_000 : 2_048)]),
);
