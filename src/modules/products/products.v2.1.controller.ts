import { Controller, Get, Injectable } from '@nestjs/common';
import { CurrentPrincipal, type Principal } from '../../api/access/principal.js';
import type { Answer } from '../../api/envelope/envelope.js';
import { ApiOperation } from '../../api/versions/api-operation.js';
import {
  ChangeSource,
  type ContentCriteria,
  type SizeCriteria,
} from '../../ledger/changes/change-source.model.js';
import type { Product } from './product.model.js';
import { ProductsService } from './products.service.js';

/** Handles `GET /v2.1/products/names`. */
@Controller({ path: 'products', version: '2.1' })
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get('names')
  @ApiOperation({ id: 'listProductNames', summary: 'List your products' })
  async names(@CurrentPrincipal() principal: Principal): Promise<Answer> {
    const products = await this.products.productsOf(principal.user_id);
    return { results: products.map(presentProductName) };
  }
}

/** Returns a product as `GET /v2.1/products/names` shows it. */
export function presentProductName({ id, name }: Product) {
  return { product_id: id, product_name: name };
}

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

  override productsOf({ record_keys }: SizeCriteria) {
    return Promise.resolve(new Map(record_keys.map((key) => [key, Number(key)])));
  }
}
