export type { Product, ProductCount, ProductOfSource } from './product.model.js';
export { ProductsModule } from './products.module.js';
export { ProductsService } from './products.service.js';
