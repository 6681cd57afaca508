import type { RecordFields } from './record-fields.js';

/** Describes the clicks on an affiliate's links for a product on one day (docs/ledger-file.md). */
export type ClicksRecord = Readonly<ReturnType<typeof readClicks>>;

export function readClicks(fields: RecordFields) {
  return {
    affiliate_id: fields.id('affiliate_id'),
    product_id: fields.id('product_id'),
    // In UTC.
    date: fields.day('date'),
    clicks: fields.integer('clicks'),
    unique_clicks: fields.integer('unique_clicks'),
  };
}
