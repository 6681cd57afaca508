import { Injectable } from '@nestjs/common';
import { ChangeSource, type ContentCriteria } from '../../ledger/changes/change-source.model.js';
import { ProductsService } from './products.service.js';
import { presentProductName } from './product-name.v2.1.presenter.js';

/**
 * Provides products to the feed of changes, in the form of `GET /v2.1/products/names`. Their key is
 * the id.
 */
@Injectable()
export class ProductChangeSource extends ChangeSource {
  readonly kind = 'product';

  constructor(private readonly products: ProductsService) {
    super();
  }

  override async contentsOf({ reader, vendor_id, record_keys }: ContentCriteria) {
    const products = await this.products.readProducts(reader, record_keys.map(Number));
    return new Map(
      products
        .filter((product) => product.vendor_id === vendor_id)
        .map((product) => [String(product.id), JSON.stringify(presentProductName(product))]),
    );
  }
}
