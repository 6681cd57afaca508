import { Injectable } from '@nestjs/common';
import { affiliateNameOf, AccountsRepository, SeenUsersRepository } from '../accounts/index.js';
import { ProductsService } from '../products/index.js';
import type { ItemGroup } from './figures/figure.model.js';
import type { Viewer } from './report.model.js';

/** Finds the names of products, affiliates and vendors for the account pages. */
@Injectable()
export class ItemNamesService {
  constructor(
    private readonly products: ProductsService,
    private readonly accounts: AccountsRepository,
    private readonly seen: SeenUsersRepository,
  ) {}

  /**
   * Returns the names by id. The name of an item that has none, or none that the viewer may see, is
   * its id.
   */
  async namesOf(
    { user_id }: Pick<Viewer, 'user_id'>,
    by: ItemGroup,
    ids: readonly number[],
  ): Promise<Map<number, string>> {
    if (by === 'affiliate') {
      const affiliates = await this.seen.usersSeenBy(user_id, ids);
      return new Map(affiliates.map((affiliate) => [affiliate.id, affiliateNameOf(affiliate)]));
    }
    const items =
      by === 'product'
        ? await this.products.productsByIds(ids)
        : await this.accounts.usersByIds(ids);
    return new Map(items.map(({ id, name }) => [id, name || String(id)]));
  }
}

/** Returns the form in which names are compared: letter case and the two forms of accents are alike. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
