import type { FeatureDeclaration } from '../../feature.js';

export const FOLLOWER = {
  name: 'follower',
  commands: {
    follow: {
      order: 30,
      load: async () => (await import('./follow.command.js')).followCommand,
    },
  },
} as const satisfies FeatureDeclaration;
