import type { FeatureDeclaration } from '../../feature.js';

export const AFFILIATES = {
  name: 'affiliates',
  pages: {
    terms: {
      path: '/account/affiliates',
      permission: 'account',
      load: async () => (await import('../../pages/affiliates/terms.pages.js')).TermsPages,
    },
  },
  module: async () => (await import('./affiliates.module.js')).AffiliatesModule,
} as const satisfies FeatureDeclaration;
