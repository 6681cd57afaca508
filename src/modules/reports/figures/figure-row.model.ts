import type { SumKind } from '../../../ledger/sums/kept-sums.model.js';
import type { MoneySum } from '../../../ledger/sums/report-sums.js';

/** The id of a product or an affiliate, the value of a tracked field, or null for sales without. */
export type GroupKey = number | string | null;

/**
 * Sums of the transactions of one kind, in one group and one bucket of days. Money is in cents, and
 * may be text, because a JavaScript number may not hold a sum exactly.
 */
export interface FigureRow extends Readonly<Partial<Record<MoneySum, string | number>>> {
  readonly item: GroupKey;
  /** First day of the bucket that has rows; empty if there is a single bucket. */
  readonly bucket: string;
  readonly kind: SumKind;
  readonly transactions: number;
}

/** Clicks of one group in one bucket of days. */
export interface ClickRow extends Pick<FigureRow, 'bucket'> {
  readonly group: GroupKey;
  readonly clicks: number;
  readonly unique_clicks: number;
}
