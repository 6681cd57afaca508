import type { FeatureDeclaration } from '../../feature.js';

export const MIRROR = {
  name: 'mirror',
  module: async () => (await import('./mirror.module.js')).MirrorModule,
} as const satisfies FeatureDeclaration;
