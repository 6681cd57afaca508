import type { FeatureDeclaration } from '../../feature.js';

export const PRODUCTS = {
  name: 'products',
  module: async () => (await import('./products.module.js')).ProductsModule,
} as const satisfies FeatureDeclaration;
