/** Computes sales by the values of a tracking field from ledger lines. */

/** Fields of a ledger line that the oracle uses. */
export interface TrackedLine {
  readonly transaction_id: string;
  readonly sale_date: string;
  readonly amount: string;
  readonly status: string;
  readonly payouts: { readonly seller_earnings: string };
  readonly tracking?: Readonly<Record<string, string | null>> | null;
  readonly refund?: { readonly refund_date: string; readonly seller_refund_impact: string };
}

export interface TrackedFigures {
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  readonly chargebacks: number;
  readonly earnings: bigint;
}

export interface TrackedRange {
  readonly field: string;
  readonly attribution: 'sale' | 'refund';
  readonly start_date: string;
  readonly end_date: string;
}

export const NOTHING: TrackedFigures = {
  sales: 0,
  gross: 0n,
  refunds: 0,
  chargebacks: 0,
  earnings: 0n,
};

/** Returns the sums by value; the key is null for sales without a value. */
export function figuresByValue(
  lines: readonly TrackedLine[],
  range: TrackedRange,
): Map<string | null, TrackedFigures> {
  const found = new Map<string | null, TrackedFigures>();
  for (const line of lines) {
    const value = line.tracking?.[range.field] ?? '';
    const key = value === '' ? null : value;
    const figures = sumOf([found.get(key) ?? NOTHING, figuresOf(line, range)], 1);
    if (Object.values(figures).some((figure) => Number(figure) !== 0)) found.set(key, figures);
  }
  return found;
}

export function sumOf(all: readonly TrackedFigures[], sign: 1 | -1): TrackedFigures {
  const total = all.reduce(
    (sum, each) => ({
      sales: sum.sales + each.sales,
      gross: sum.gross + each.gross,
      refunds: sum.refunds + each.refunds,
      chargebacks: sum.chargebacks + each.chargebacks,
      earnings: sum.earnings + each.earnings,
    }),
    NOTHING,
  );
  if (sign === 1) return total;
  return {
    sales: -total.sales,
    gross: -total.gross,
    refunds: -total.refunds,
    chargebacks: -total.chargebacks,
    earnings: -total.earnings,
  };
}

function figuresOf(line: TrackedLine, range: TrackedRange): TrackedFigures {
  const { status, refund, amount, payouts } = line;
  if (status === 'pending') return NOTHING;
  const isIn = (date: string) =>
    date.slice(0, 10) >= range.start_date && date.slice(0, 10) <= range.end_date;
  const isSold = isIn(line.sale_date);
  const counts =
    range.attribution === 'sale' || refund === undefined ? isSold : isIn(refund.refund_date);
  const isBack = counts && (refund !== undefined || status !== 'completed');
  const isChargeback = status === 'charged_back';
  return {
    sales: Number(isSold),
    gross: isSold ? cents(amount) : 0n,
    refunds: Number(isBack && !isChargeback),
    chargebacks: Number(isBack && isChargeback),
    earnings:
      (isSold ? cents(payouts.seller_earnings) : 0n) +
      (isBack && refund !== undefined ? cents(refund.seller_refund_impact) : 0n),
  };
}

function cents(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
