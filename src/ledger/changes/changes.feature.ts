import type { FeatureDeclaration } from '../../feature.js';

export const CHANGES = {
  name: 'changes',
  module: async () => (await import('./changes.module.js')).ChangesModule,
} as const satisfies FeatureDeclaration;
