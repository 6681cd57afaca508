import type { FeatureDeclaration } from '../../feature.js';

export const DEMO = {
  name: 'demo',
  module: async () => (await import('./demo.module.js')).DemoModule,
} as const satisfies FeatureDeclaration;
