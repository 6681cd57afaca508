import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from './ledger-records.js';

export const VENDOR = 1;
/** A vendor without sales. */
export const NEW_VENDOR = 5;
export const [ELENA, PAINT_ALONG, MILE_MARKERS] = ['Elena’s Picks', 'Paint Along', 'Mile Markers'];
export const PAINT_ALONG_ID = 3;
export const MILE_MARKERS_ID = 4;
export const [COURSE, MEMBERSHIP, MASTERCLASS] = ['Course', 'Membership', 'Masterclass'];
const NAMES = new Map([
  [10, COURSE],
  [11, MEMBERSHIP],
  [12, MASTERCLASS],
]);
/** A customer with a subscription. */
export const MEMBER = { email: 'grace@example.test', first_name: 'Grace', last_name: 'Hopper' };
export const LEAVER = { email: 'lin@example.test', first_name: 'Lin', last_name: 'Chen' };

/** Number of sales of last month, and of the month before. */
const [SALES, SALES_BEFORE] = [12, 20];
/** Indexes of the sales of last month that were refunded. */
const REFUNDED = [0, 2, 6];
const REFUNDED_BEFORE = 5;

/** Returns a day of a month. @param ago number of months before this one */
function dayOf(ago: number, day: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, day))
    .toISOString()
    .slice(0, 10);
}

export function daysOfLastMonth(): readonly [first: string, last: string] {
  return [dayOf(1, 1), dayOf(0, 0)];
}

/**
 * Returns the sales of a vendor in two months. Last month has net earnings of 310.00, three refunds
 * and unpaid commissions of 50.00; the month before has 600.00 and five refunds.
 */
export function taskLedger(): object[] {
  const affiliates = [ELENA, PAINT_ALONG, MILE_MARKERS];
  return [
    user(VENDOR),
    user(NEW_VENDOR),
    ...affiliates.map((display_name, index) => user(2 + index, { display_name })),
    ...Array.from(NAMES, ([id, name]) => product(id, VENDOR, { name })),
    affiliation(2, 10),
    affiliation(PAINT_ALONG_ID, 10),
    ...Array.from(NAMES.keys(), (id) => affiliation(MILE_MARKERS_ID, id)),
    recurringPayment('PRE-MEMBER', 11, {
      contact_email: MEMBER.email,
      sender_email: MEMBER.email,
      created: `${dayOf(1, 10)}T12:00:00Z`,
      last_date: `${dayOf(1, 10)}T12:00:00Z`,
      next_date: `${dayOf(-1, 10)}T12:00:00Z`,
    }),
    ...Array.from({ length: SALES }, (_, index) => saleOfLastMonth(index)),
    ...Array.from({ length: SALES_BEFORE }, (_, index) => saleBefore(index)),
  ];
}

/** Six sales are referred by one affiliate, two by another one, and four by nobody. */
function saleOfLastMonth(index: number): object {
  const product_id = index < 8 ? 10 : 11;
  const affiliate_id = index < 6 ? 2 : PAINT_ALONG_ID;
  const isRefunded = REFUNDED.includes(index);
  return transaction(`NOW-${index}`, product_id, {
    product_name: NAMES.get(product_id),
    sale_date: `${dayOf(1, 10)}T12:00:${String(index).padStart(2, '0')}Z`,
    customer: customerOf('now', index),
    tracking: { utm_campaign: index % 2 === 0 ? 'launch' : 'newsletter' },
    ...(index < 8 ? { affiliate_id, payouts: WITH_COMMISSION } : {}),
    ...(index === 9 ? { pre_key: 'PRE-MEMBER' } : {}),
    ...(isRefunded ? { status: 'refunded', refund: refundOf(dayOf(1, 20)) } : {}),
  });
}

/** Returns the refund of a sale that an affiliate referred. */
function refundOf(day: string): object {
  return refund(`${day}T12:00:00Z`, {
    seller_refund_impact: '-30.00',
    affiliate_refund_impact: '-10.00',
  });
}

function saleBefore(index: number): object {
  const isRefunded = index < REFUNDED_BEFORE;
  return transaction(`BEFORE-${index}`, 10, {
    product_name: COURSE,
    sale_date: `${dayOf(2, 10)}T12:00:00Z`,
    customer: customerOf('before', index),
    ...(isRefunded ? { status: 'refunded', refund: refund(`${dayOf(2, 20)}T12:00:00Z`) } : {}),
  });
}

function customerOf(month: string, index: number) {
  if (month === 'now' && index === 9) return MEMBER;
  if (month === 'now' && index === 10) return LEAVER;
  return { email: `${month}${index}@example.test`, first_name: 'Ada', last_name: `Byron ${index}` };
}
