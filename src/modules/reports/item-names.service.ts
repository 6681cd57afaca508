import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ProductsService } from '../products/products.service.js';
import type { Dimension } from './sums/report-sums.model.js';

/** What products, affiliates and vendors are called on the account pages. */
@Injectable()
export class ItemNamesService {
  constructor(
    private readonly products: ProductsService,
    private readonly accounts: AccountsService,
  ) {}

  /** An affiliate is called by its display name, or its name where there is none. */
  async namesOf(by: Dimension, ids: readonly number[]): Promise<Map<number, string>> {
    if (by === 'product') {
      const products = await this.products.productsByIds(ids);
      return new Map(products.map(({ id, name }) => [id, name]));
    }
    const users = await this.accounts.usersByIds(ids);
    return new Map(
      users.map(({ id, name, display_name }) => [
        id,
        by === 'affiliate' ? (display_name ?? name) : name,
      ]),
    );
  }
}
