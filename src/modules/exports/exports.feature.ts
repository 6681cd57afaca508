import type { FeatureDeclaration } from '../../feature.js';

export const EXPORTS = {
  name: 'exports',
  commands: {
    export: {
      order: 20,
      load: async () => (await import('./export.command.js')).exportCommand,
    },
  },
  module: async () => (await import('./exports.module.js')).ExportsModule,
} as const satisfies FeatureDeclaration;
