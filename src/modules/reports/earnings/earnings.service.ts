import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { AffiliatesService } from '../../affiliates/index.js';
import { ProductsService } from '../../products/index.js';
import { FigureBounds } from '../figures/figure-reads.service.js';
import { ItemNamesService } from '../item-names.service.js';
import {
  type Earned,
  type EarnedSums,
  type Earnings,
  type ProductEarnings,
  sumOfEarned,
  type VendorEarnings,
} from './earnings.model.js';
import { EarningsRepository } from './earnings.repository.js';

const NOTHING: EarnedSums = {
  sales: 0n,
  refunds: 0n,
  gross: 0n,
  earned: 0n,
  paid: 0n,
  unpaid: 0n,
  clicks: 0n,
  unique_clicks: 0n,
};

/** Reports what a user earns as an affiliate, as of now, at all vendors. */
@Injectable()
export class EarningsService {
  constructor(
    private readonly repository: EarningsRepository,
    private readonly affiliates: AffiliatesService,
    private readonly products: ProductsService,
    private readonly names: ItemNamesService,
    private readonly bounds: FigureBounds,
  ) {}

  /** @throws ApiError invalid_parameters if there are too many products */
  async earningsOf(user_id: number): Promise<Earnings> {
    const products = await this.byProduct(user_id);
    return { products, vendors: byVendor(products), total: sumOfEarned(products) };
  }

  private async byProduct(user_id: number): Promise<ProductEarnings[]> {
    const limit = this.bounds.items + 1;
    const [sold, clicked, terms] = await Promise.all([
      this.repository.soldBy(user_id, limit),
      this.repository.clicksOf(user_id, limit),
      this.affiliates.reads.termsOfAffiliate(user_id, limit),
    ]);
    const ids = [...new Set([...sold, ...clicked, ...terms].map(({ product_id }) => product_id))];
    if (ids.length > this.bounds.items) {
      const detail = `The answer would have more than ${this.bounds.items} products.`;
      throw new ApiError('invalid_parameters', detail);
    }
    const products = await this.products.productsByIds(ids);
    const vendors = await this.names.namesOf({ user_id }, 'vendor', [
      ...new Set(products.map(({ vendor_id }) => vendor_id)),
    ]);
    const [soldById, clickedById, termsById] = [byId(sold), byId(clicked), byId(terms)];
    return products
      .map(({ id, name, vendor_id }) => {
        const own = termsById.get(id) ?? null;
        const sums = { ...NOTHING, ...soldById.get(id), ...clickedById.get(id) };
        return {
          product_id: id,
          product_name: name || String(id),
          vendor_id,
          vendor_name: vendors.get(vendor_id) ?? String(vendor_id),
          terms: own,
          ...earnedOf(sums, own?.delayed_commission ?? false),
        };
      })
      .sort((one, other) => one.product_id - other.product_id);
  }
}

function byId<Item extends { readonly product_id: number }>(items: readonly Item[]) {
  return new Map(items.map((item) => [item.product_id, item]));
}

function earnedOf(sums: EarnedSums, isDelayed: boolean): Earned {
  const on_hold = isDelayed ? sums.unpaid : 0n;
  return { ...sums, on_hold, due_now: sums.unpaid - on_hold };
}

/** Returns the vendors by what they owe, most first. */
function byVendor(products: readonly ProductEarnings[]): VendorEarnings[] {
  const groups = new Map<number, ProductEarnings[]>();
  for (const product of products) {
    groups.set(product.vendor_id, [...(groups.get(product.vendor_id) ?? []), product]);
  }
  return [...groups]
    .map(([vendor_id, own]) => {
      return { vendor_id, vendor_name: own[0]?.vendor_name ?? '', ...sumOfEarned(own) };
    })
    .sort((one, other) => Number(other.unpaid - one.unpaid) || one.vendor_id - other.vendor_id);
}
