import type { FeatureDeclaration } from '../../feature.js';

export const RETENTION = {
  name: 'retention',
  commands: {
    retention: {
      order: 60,
      load: async () => (await import('../../cli/commands/retention.command.js')).retentionCommand,
    },
  },
  pages: {
    dataProtection: {
      path: '/account/data-protection',
      permission: 'account',
      navigation: { label: 'Data protection', order: 80 },
      load: async () =>
        (await import('../../pages/data-protection/data-protection.pages.js')).DataProtectionPages,
    },
  },
  module: async () => (await import('./retention.module.js')).RetentionModule,
} as const satisfies FeatureDeclaration;
