import type { FeatureDeclaration } from '../../feature.js';

export const TRANSACTIONS = {
  name: 'transactions',
  module: async () => (await import('./transactions.module.js')).TransactionsModule,
} as const satisfies FeatureDeclaration;
