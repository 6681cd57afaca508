import { Injectable } from '@nestjs/common';
import type { AffiliateSales } from './affiliate-sales.model.js';
import { AffiliateSalesRepository } from './affiliate-sales.repository.js';

/** What affiliates sold. */
@Injectable()
export class AffiliateSalesService {
  constructor(private readonly repository: AffiliateSalesRepository) {}

  /** All zero where the affiliate has sold nothing of the product. */
  salesOf(affiliate_id: number, product_id: number): Promise<AffiliateSales> {
    return this.repository.salesOf(affiliate_id, product_id);
  }

  /** Whether the affiliate has any transaction of the product, a pending one included. */
  hasAnySale(affiliate_id: number, product_id: number): Promise<boolean> {
    return this.repository.hasAnySale(affiliate_id, product_id);
  }
}
