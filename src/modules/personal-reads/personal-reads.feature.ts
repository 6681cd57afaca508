import type { FeatureDeclaration } from '../../feature.js';

export const PERSONAL_READS = {
  name: 'personal-reads',
  settings: {
    personalDataReads: {
      name: 'PERSONAL_DATA_READS',
      kind: 'flag',
      default: false,
      purpose: 'Records who reads personal data of customers.',
    },
  },
  commands: {
    reads: {
      order: 50,
      load: async () => (await import('../../cli/commands/reads.command.js')).readsCommand,
    },
  },
  module: async () => (await import('./personal-reads.module.js')).PersonalReadsModule,
} as const satisfies FeatureDeclaration;
