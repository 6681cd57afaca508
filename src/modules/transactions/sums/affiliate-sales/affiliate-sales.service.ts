import { Injectable } from '@nestjs/common';
import type { AffiliateSales } from './affiliate-sales.model.js';
import { AffiliateSalesRepository } from './affiliate-sales.repository.js';

@Injectable()
export class AffiliateSalesService {
  constructor(private readonly repository: AffiliateSalesRepository) {}

  /** Returns the kept sums. They are all zero if the affiliate has not sold the product. */
  salesOf(affiliate_id: number, product_id: number): Promise<AffiliateSales> {
    return this.repository.salesOf(affiliate_id, product_id);
  }

  /** Returns true if the affiliate has any transaction of the product, including pending ones. */
  hasAnySale(affiliate_id: number, product_id: number): Promise<boolean> {
    return this.repository.hasAnySale(affiliate_id, product_id);
  }
}
