import type { Product } from '../../product.model.js';

/** Interface 2.12. */
export function presentProductName({ id, name }: Product) {
  return { product_id: id, product_name: name };
}
