// Defines the ledger of `npm run bench:hostile`, with vendors that attack and one that works.

/** User ids of the vendors, by their behaviour. */
export const VENDOR = {
  largeTexts: 1,
  slowDownloads: 2,
  manyWaiting: 3,
  slowBodies: 4,
  manyBodies: 5,
  working: 20,
};
/** User ids of vendors with an upstream, since a vendor has one at most. */
export const WITH_UPSTREAMS = [31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42];
const SALES = {
  [VENDOR.largeTexts]: 1_000,
  [VENDOR.slowDownloads]: 20_000,
  [VENDOR.working]: 5_000,
};
const FEW_SALES = 10;
const TEXTS = 'vtid,custom,tid,utm_source,utm_medium,utm_campaign,utm_content,utm_term'.split(',');
/** A character of three bytes. */
const WIDE = '漢';

/** @yields the lines of a ledger file */
export function* hostileLedger() {
  for (const id of [...Object.values(VENDOR), ...WITH_UPSTREAMS]) {
    const tracking = id === VENDOR.largeTexts ? { tracking: largeTexts() } : {};
    yield line({ type: 'user', id, name: `User ${id}`, email: `user${id}@example.com` });
    yield line({ type: 'product', id, vendor_id: id, name: `Product ${id}` });
    for (let number = 0; number < (SALES[id] ?? FEW_SALES); number += 1) {
      yield line({ ...saleOf(id, `first-${number}`, number), ...tracking });
    }
  }
}

/** @returns a transaction record of the vendor */
export function saleOf(vendor, name, number) {
  const day = new Date(Date.UTC(2025, 0, 1) + (number % 360) * 86_400_000).toISOString();
  return {
    type: 'transaction',
    transaction_id: `${vendor}-${name}`,
    product_id: vendor,
    product_name: `Product ${vendor}`,
    sale_date: day,
    amount: '47.00',
    status: 'completed',
    customer: { email: `c${number}@example.com`, first_name: 'Ada', last_name: `L${number}` },
    payouts: {
      seller_earnings: '40.00',
      affiliate_payout: '0.00',
      agent_payout: '0.00',
      jv_payout: '0.00',
      service_fee: '7.00',
    },
  };
}

/**
 * Returns about 100 KB for a transaction: the longest texts that are stored, in some of its fields.
 */
function largeTexts() {
  const texts = TEXTS.map((field) => [field, WIDE.repeat(2_048)]);
  return Object.fromEntries([...texts, ['other_params', WIDE.repeat(16_000)]]);
}

function line(record) {
  return `${JSON.stringify(record)}\n`;
}
