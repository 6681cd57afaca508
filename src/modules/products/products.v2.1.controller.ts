import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../api/envelope/envelope.js';
import { ApiOperation } from '../../api/versions/api-operation.js';
import { type Principal, CurrentPrincipal } from '../../api/access/principal.js';
import { ProductsService } from './products.service.js';
import { presentProductName } from './product-name.v2.1.presenter.js';

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
