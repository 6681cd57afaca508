import { product, refund, transaction, user } from '../builders/ledger-records.js';
import type { Days } from '../oracles/report-oracle.js';

export const [VENDOR, AFFILIATE, OTHER] = [1, 2, 3];
export const REPORTS = '/account/reports';
export const LIST = `${REPORTS}/transactions`;
export const ALL: Days = { start_date: '2025-05-01', end_date: '2025-08-31' };
export const JUNE: Days = { start_date: '2025-06-01', end_date: '2025-06-30' };
const HOSTILE = '=HYPERLINK("http://evil.test")<script>alert(1)</script>';
const DAY_MS = 86_400_000;

/** Returns a vendor's sales, and a sale of another vendor by the same affiliate. */
export function reportLedger(): object[] {
  return [
    user(VENDOR),
    user(AFFILIATE, { display_name: 'Picks' }),
    user(OTHER),
    product(10, VENDOR),
    product(11, VENDOR, { name: HOSTILE }),
    product(30, OTHER),
    ...sales(),
    // The sale is by an affiliate without a display name.
    transaction('by-other', 10, { sale_date: '2025-05-03T12:00:00Z', affiliate_id: OTHER }),
    transaction('foreign', 30, { amount: '9999.99', affiliate_id: AFFILIATE }),
  ];
}

/**
 * Returns 120 sales, one per day from May 3, with every status. Some are refunded in another month.
 */
function sales(): object[] {
  return Array.from({ length: 120 }, (_, index) => {
    const day = new Date(Date.parse('2025-05-03') + index * DAY_MS).toISOString().slice(0, 10);
    const later = new Date(Date.parse(day) + 33 * DAY_MS).toISOString().slice(0, 10);
    const status = ['completed', 'completed', 'refunded', 'pending', 'charged_back'][index % 5];
    const isBack = status === 'refunded' || status === 'charged_back';
    return transaction(`T${index}`, index % 3 === 0 ? 11 : 10, {
      sale_date: `${day}T${String(index % 24).padStart(2, '0')}:59:59Z`,
      amount: `${1000 + index}.${String(index % 100).padStart(2, '0')}`,
      status,
      ...(index % 4 === 0 ? { affiliate_id: AFFILIATE } : {}),
      customer: { email: `c${index}@example.test`, first_name: HOSTILE, last_name: '+1' },
      payouts: {
        seller_earnings: `${900 + index}.11`,
        affiliate_payout: '50.07',
        agent_payout: '1.01',
        jv_payout: '2.02',
        service_fee: '70.30',
      },
      ...(isBack
        ? { refund: refund(`${later}T00:00:00Z`, { affiliate_refund_impact: '-40.06' }) }
        : {}),
    });
  });
}

export function pathOf(base: string, days: Days, more: Record<string, string> = {}): string {
  const query = { from: days.start_date, to: days.end_date, ...more };
  return `${base}?${new URLSearchParams(query).toString()}`;
}

/** Returns the first and the last day of a page, from the form that chooses them. */
export function rangeIn(html: string): readonly string[] {
  return ['from', 'to'].map((name) => {
    const [input = ''] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html) ?? [];
    return / value="([^"]*)"/.exec(input)?.[1] ?? '';
  });
}

/** Returns the values of a page by their names, with the text below them. */
export function shownFigures(html: string): Record<string, string> {
  const figures = html.matchAll(/<dt>([^<]+)<\/dt><dd>(.*?)<\/dd>/g);
  return Object.fromEntries(
    [...figures].map(([, name = '', content = '']) => [
      name,
      content
        .replace(/<[^>]+>/g, ' ')
        .trim()
        .replace(/\s+/g, ' '),
    ]),
  );
}
