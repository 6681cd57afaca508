/**
 * Random sales of several affiliates, with the expected unpaid commissions. It shares no code with
 * the service.
 */
import fc from 'fast-check';
import { recordOf, sale, VendorIds, type Sale, type SaleRecord } from './random-ledgers.js';

export const COMMISSION_STATUSES = ['UNPAID', 'PAID', 'PAYMENT_ERROR', 'REFUNDED'] as const;

export interface AffiliateSale {
  readonly sold: Sale;
  readonly commissionStatus: (typeof COMMISSION_STATUSES)[number];
  readonly seller: number;
}

/** Generates sales. Most are unpaid, because only unpaid commissions count. */
export const affiliateSale: fc.Arbitrary<AffiliateSale> = fc.record({
  sold: sale,
  commissionStatus: fc.constantFrom('UNPAID', 'UNPAID', 'UNPAID', ...COMMISSION_STATUSES),
  seller: fc.nat({ max: 2 }),
});

/** Returns two affiliates of a vendor. Other sales have no affiliate. */
export function affiliatesOf(ids: VendorIds): readonly [number, number] {
  return [ids.affiliate, ids.affiliate + 5];
}

export interface AffiliateRecord extends SaleRecord {
  readonly affiliate_commission_status: string;
}

export function affiliateRecordOf(
  ids: VendorIds,
  place: number,
  calendar: readonly string[],
  { sold, commissionStatus, seller }: AffiliateSale,
): AffiliateRecord {
  return {
    ...recordOf(ids, place, calendar, sold),
    affiliate_id: affiliatesOf(ids)[seller] ?? null,
    affiliate_commission_status: commissionStatus,
  };
}

/**
 * Returns calendars with days around the age limits of unpaid commissions, and with ends of months.
 */
export function recentCalendars(today: string): readonly (readonly string[])[] {
  const ago = (days: number) =>
    new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  return [
    [ago(0), ago(30), ago(31), ago(45)],
    [ago(-2), ago(29), ago(60), ago(61)],
    [ago(61), ago(90), ago(91), ago(92)],
    [ago(1), ago(75), ago(120), ago(400)],
  ];
}

/** Returns the unpaid commissions of an affiliate in cents, by days since the sale. */
export function unpaidOf(
  records: readonly AffiliateRecord[],
  affiliate_id: number,
  today: string,
): Record<'0-30' | '31-60' | '61-90' | 'over-90', bigint> {
  const unpaid = { '0-30': 0n, '31-60': 0n, '61-90': 0n, 'over-90': 0n };
  for (const record of records) {
    if (record.affiliate_id !== affiliate_id || record.status === 'pending') continue;
    if (record.affiliate_commission_status !== 'UNPAID') continue;
    const day = new Date(record.sale_date).toISOString().slice(0, 10);
    const age = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
    const of = age <= 30 ? '0-30' : age <= 60 ? '31-60' : age <= 90 ? '61-90' : 'over-90';
    const { affiliate_payout } = record.payouts;
    unpaid[of] += cents(affiliate_payout) + cents(record.refund?.amounts.affiliate_refund_impact);
  }
  return unpaid;
}

function cents(text = '0'): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}
