import { Injectable } from '@nestjs/common';
import { affiliateNameOf } from '../accounts/account.model.js';
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

  /** A product or a vendor without a name is called by its id. */
  async namesOf(by: Dimension, ids: readonly number[]): Promise<Map<number, string>> {
    if (by === 'product') {
      const products = await this.products.productsByIds(ids);
      return new Map(products.map(({ id, name }) => [id, name || String(id)]));
    }
    const users = await this.accounts.usersByIds(ids);
    return new Map(
      users.map((user) => [
        user.id,
        by === 'affiliate' ? affiliateNameOf(user) : user.name || String(user.id),
      ]),
    );
  }
}
