import type { FeatureDeclaration } from '../../feature.js';

export const VERIFICATION = {
  name: 'verification',
  commands: {
    verify: {
      order: 70,
      load: async () => (await import('./verify.command.js')).verifyCommand,
    },
  },
  module: async () => (await import('./verification.module.js')).VerificationModule,
} as const satisfies FeatureDeclaration;
