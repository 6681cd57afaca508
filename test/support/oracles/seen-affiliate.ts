/** A sale whose affiliate the responses show to the vendor. */
import { resultOf } from '../http/results.js';
import type { TestService } from '../servers/service.js';

export interface AffiliateOfSale {
  readonly affiliate_id: number;
  readonly product_id: number;
  /** Id of a sale of 2025-06-01. */
  readonly transaction_id: string;
}

/**
 * The affiliate's names. Responses of 3.0 and of changes show the display name, others the name and
 * the email address.
 */
export interface SeenAffiliate {
  readonly display_name: string | null;
  readonly name: string;
  readonly email: string;
}

/** Returns the expected fields of an affiliate in every response. */
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

/** Returns the fields of an affiliate in the service's responses, in the form of `everywhere`. */
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

/**
 * Reads the name from the CSV export, without support for quotes, which the texts of the tests do
 * not need.
 */
async function nameInCsv(service: TestService, key: string, transaction_id: string) {
  const { text } = await service.get('/ledger/v1/transactions.csv', key);
  const [names = [], ...rows] = text.split('\r\n').map((line) => line.split(','));
  const row = rows.find(([id]) => id === transaction_id);
  return row?.[names.indexOf('affiliate_display_name')];
}
