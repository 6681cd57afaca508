import { rateOf } from '../../../platform/values/money.js';
import { recordOf } from '../../../platform/values/record-of.js';
import type { SumPart } from '../sums/report-sums.model.js';
import {
  UNPAID_AGES,
  type AffiliateFigures,
  type UnpaidByAge,
  type ClickSums,
  type PartOfAffiliate,
  type UnpaidOfAffiliate,
} from './affiliate-figures.model.js';

interface Counts {
  sales: number;
  refunds: number;
  chargebacks: number;
  gross: bigint;
  commission: bigint;
  clicks: number | null;
  unique_clicks: number | null;
  unpaid: Record<keyof UnpaidByAge, bigint>;
}

/** Adds up the sums, clicks and unpaid commissions of each affiliate. */
export class AffiliateCounts {
  private readonly counts = new Map<number, Counts>();

  /** Ids of all affiliates that were added, in no particular order. */
  get affiliate_ids(): number[] {
    return [...this.counts.keys()];
  }

  /** Adds affiliates that are shown even if they have no figures. */
  addAffiliates(ids: readonly number[]): void {
    for (const id of ids) this.of(id);
  }

  /**
   * Adds sums and drops the affiliates that have none in the range, which subtracted days can leave
   * behind. Must be called before any other method that adds, since it drops their affiliates, too.
   */
  addSums(sums: readonly PartOfAffiliate[]): void {
    for (const { affiliate_id, part, transactions, amount, commission } of sums) {
      const counts = this.of(affiliate_id);
      counts.commission += commission;
      if (part === 'sales') counts.gross += amount;
      const counted = COUNTED_AS[part];
      if (counted !== null) counts[counted] += transactions;
    }
    for (const [id, { sales, refunds, chargebacks }] of this.counts) {
      if (sales === 0 && refunds === 0 && chargebacks === 0) this.counts.delete(id);
    }
  }

  addClicks(clicks: readonly ClickSums[]): void {
    for (const { affiliate_id, clicks: all, unique_clicks } of clicks) {
      const counts = this.of(affiliate_id);
      counts.clicks = (counts.clicks ?? 0) + all;
      counts.unique_clicks = (counts.unique_clicks ?? 0) + unique_clicks;
    }
  }

  addUnpaid(unpaid: readonly UnpaidOfAffiliate[]): void {
    for (const { affiliate_id, age, commission } of unpaid) {
      const { unpaid: ages } = this.of(affiliate_id);
      // The commissions that are in none of the younger ages are older than 90 days.
      if (age === 'total') ages['over-90'] += commission;
      else {
        ages[age] += commission;
        ages['over-90'] -= commission;
      }
    }
  }

  figuresOf(affiliate_id: number): AffiliateFigures {
    return figuresOf(this.of(affiliate_id));
  }

  /**
   * Returns the figures of all affiliates together. The conversion rate covers only affiliates
   * whose clicks are known.
   */
  total(): AffiliateFigures {
    const total = nothing();
    let converted = 0;
    for (const counts of this.counts.values()) {
      add(total, counts);
      if (counts.clicks !== null) converted += counts.sales;
    }
    return { ...figuresOf(total), conversion: rateOrNull(converted, total.unique_clicks ?? 0) };
  }

  private of(affiliate_id: number): Counts {
    const known = this.counts.get(affiliate_id);
    if (known !== undefined) return known;
    const counts = nothing();
    this.counts.set(affiliate_id, counts);
    return counts;
  }
}

const COUNTED_AS = {
  sales: 'sales',
  refunds: 'refunds',
  chargebacks: 'chargebacks',
  pending: null,
} as const satisfies Readonly<Record<SumPart, keyof Counts | null>>;

function nothing(): Counts {
  return {
    sales: 0,
    refunds: 0,
    chargebacks: 0,
    gross: 0n,
    commission: 0n,
    clicks: null,
    unique_clicks: null,
    unpaid: recordOf(UNPAID_AGES, () => 0n),
  };
}

function add(total: Counts, counts: Counts): void {
  for (const count of ['sales', 'refunds', 'chargebacks'] as const) total[count] += counts[count];
  for (const sum of ['gross', 'commission'] as const) total[sum] += counts[sum];
  for (const age of UNPAID_AGES) total.unpaid[age] += counts.unpaid[age];
  for (const count of ['clicks', 'unique_clicks'] as const) {
    if (counts[count] !== null) total[count] = (total[count] ?? 0) + counts[count];
  }
}

function figuresOf(counts: Counts): AffiliateFigures {
  const { sales, refunds, chargebacks, unique_clicks } = counts;
  return {
    ...counts,
    refund_rate: rateOrNull(refunds, sales),
    chargeback_rate: rateOrNull(chargebacks, sales),
    conversion: rateOrNull(sales, unique_clicks ?? 0),
  };
}

function rateOrNull(part: number, whole: number): bigint | null {
  return whole === 0 ? null : rateOf(BigInt(part), BigInt(whole));
}
