import type { FeatureDeclaration } from '../../feature.js';

export const WEBHOOKS = {
  name: 'webhooks',
  commands: {
    webhooks: {
      order: 120,
      load: async () => (await import('../../cli/commands/webhooks.command.js')).webhooksCommand,
    },
  },
  pages: {
    endpoints: {
      path: '/account/webhooks',
      permission: 'account',
      navigation: { label: 'Webhooks', order: 60 },
      load: async () => (await import('../../pages/webhooks/webhooks.pages.js')).WebhookPages,
    },
  },
  module: async () => (await import('./webhooks.module.js')).WebhooksModule,
} as const satisfies FeatureDeclaration;
