import type { TransactionsPage } from '../../../modules/reports/lists/report-list.model.js';

/** What the products and partners of some sales are called, by their ids as a filter has them. */
export interface FilterNames {
  readonly product: ReadonlyMap<string, string>;
  readonly partner: ReadonlyMap<string, string>;
}

/** Of the sales that a page shows: so they cost no query. An affiliate is not shown the ids of products. */
export function namesOn(page: TransactionsPage): FilterNames {
  const [product, partner] = [new Map<string, string>(), new Map<string, string>()];
  // Products are called as in their newest sale, which is set last.
  if (page.role === 'affiliate') {
    for (const { vendor_id, vendor_name } of page.transactions) {
      partner.set(String(vendor_id), vendor_name);
    }
    return { product, partner };
  }
  for (const sale of [...page.transactions].reverse()) {
    const { product_id, product_name, affiliate_id, affiliate_name } = sale;
    product.set(String(product_id), product_name);
    if (affiliate_id !== null) partner.set(String(affiliate_id), affiliate_name ?? '');
  }
  return { product, partner };
}
