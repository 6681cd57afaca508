/** Reads how the answers show a vendor the affiliate of one of its sales. */
import { resultOf } from '../http/results.js';
import type { TestService } from '../servers/service.js';

export interface AffiliateOfSale {
  readonly affiliate_id: number;
  readonly product_id: number;
  /** Sold on 2025-06-01. */
  readonly transaction_id: string;
}

/** The display name in answers of 3.0 and of changes, the name and the e-mail in others. */
export interface SeenAffiliate {
  readonly display_name: string | null;
  readonly name: string;
  readonly email: string;
}

/** Returns what every answer shows of an affiliate. */
export function everywhere({ display_name, name, email }: SeenAffiliate) {
  return {
    listed: display_name,
    single: display_name,
    masked: display_name,
    exported: display_name,
    change: display_name,
    detail: [name, email],
    statistics: name,
    latest: name,
    csv: name,
  };
}

/** Returns what the answers show, in the form of `everywhere`. */
export async function seenAffiliate(
  service: TestService,
  keys: { readonly full: string; readonly masked: string },
  { affiliate_id, product_id, transaction_id }: AffiliateOfSale,
) {
  const list = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01&page_size=200';
  const ofSale = (results: readonly Readonly<Record<string, unknown>>[]) =>
    results.find((each) => each.transaction_id === transaction_id);
  const nameIn = (sale: Readonly<Record<string, unknown>> | undefined) =>
    (sale?.affiliate as { readonly display_name: unknown } | undefined)?.display_name;
  const statistics = `/v2.1/affiliatestats/${affiliate_id}/products/${product_id}`;
  const detail = await resultOf(service, `/v2.1/transaction/details/${transaction_id}`, keys.full);
  const ndjson = await service.get('/ledger/v1/transactions.ndjson', keys.full);
  const lines = ndjson.text.trimEnd().split('\n');
  return {
    listed: nameIn(ofSale((await service.envelope(list, keys.full)).results)),
    masked: nameIn(ofSale((await service.envelope(list, keys.masked)).results)),
    single: nameIn(await resultOf(service, `/v3.0/transactions/${transaction_id}`, keys.full)),
    exported: nameIn(ofSale(lines.map((line) => JSON.parse(line) as Record<string, unknown>))),
    change: await changeOf(service, keys.full, affiliate_id),
    detail: [detail.affiliate_name, detail.affiliate_email],
    statistics: (await resultOf(service, statistics, keys.full)).affiliate_name,
    latest: ofSale((await service.envelope('/v2.0/latest-transactions', keys.full)).results)
      ?.affiliate_name,
    csv: await nameInCsv(service, keys.full, transaction_id),
  };
}

interface ChangedAffiliate {
  readonly id: number;
  readonly display_name: unknown;
}

async function changeOf(service: TestService, key: string, affiliate_id: number) {
  const path = '/ledger/v1/changes?kinds=affiliate&limit=1000';
  const { results } = await service.envelope(path, key);
  const affiliates = results.map(({ affiliate }) => affiliate as ChangedAffiliate);
  return affiliates.find(({ id }) => id === affiliate_id)?.display_name;
}

/** The texts of the tests need no quotes. */
async function nameInCsv(service: TestService, key: string, transaction_id: string) {
  const { text } = await service.get('/ledger/v1/transactions.csv', key);
  const [names = [], ...rows] = text.split('\r\n').map((line) => line.split(','));
  const row = rows.find(([id]) => id === transaction_id);
  return row?.[names.indexOf('affiliate_display_name')];
}
