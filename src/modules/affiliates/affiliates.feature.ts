import type { FeatureDeclaration } from '../../feature.js';

export const AFFILIATES = {
  name: 'affiliates',
  module: async () => (await import('./affiliates.module.js')).AffiliatesModule,
} as const satisfies FeatureDeclaration;
