import type { TransactionsPage } from '../../../modules/reports/lists/report-list.model.js';

/** Names of the products and partners of some sales, by id as text. */
export interface FilterNames {
  readonly product: ReadonlyMap<string, string>;
  readonly partner: ReadonlyMap<string, string>;
}

/**
 * Returns the names in the sales that a page shows, which needs no query. Affiliates do not see the
 * ids of products.
 */
export function namesOn(page: TransactionsPage): FilterNames {
  const [product, partner] = [new Map<string, string>(), new Map<string, string>()];
  // Rows are newest first. They are reversed so that the newest sale's product name is set last and
  // remains.
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
