import type { RecordFields } from './record-fields.js';

/** How often an affiliate's links for a product were followed on one day (ledger format: clicks). */
export interface ClicksRecord {
  readonly affiliate_id: number;
  readonly product_id: number;
  /** A day in UTC. */
  readonly date: string;
  readonly clicks: number;
  readonly unique_clicks: number;
}

export function readClicks(fields: RecordFields): ClicksRecord {
  return {
    affiliate_id: fields.id('affiliate_id'),
    product_id: fields.id('product_id'),
    date: fields.day('date'),
    clicks: fields.integer('clicks'),
    unique_clicks: fields.integer('unique_clicks'),
  };
}
