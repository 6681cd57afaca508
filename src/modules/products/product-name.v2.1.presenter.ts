import type { Product } from './product.model.js';

/** Returns a product as `GET /v2.1/products/names` shows it. */
export function presentProductName({ id, name }: Product) {
  return { product_id: id, product_name: name };
}
