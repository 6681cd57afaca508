import type { FeatureDeclaration } from '../../feature.js';
import type { WEBHOOKS_PATH } from '../../platform/pages/paths.js';

export const WEBHOOKS = {
  name: 'webhooks',
  commands: {
    webhooks: {
      order: 120,
      load: async () => (await import('./webhooks.command.js')).webhooksCommand,
    },
  },
  pages: {
    endpoints: {
      path: '/account/webhooks' satisfies typeof WEBHOOKS_PATH,
      permission: 'account',
      group: 'developers',
      navigation: { label: 'Webhooks', order: 60 },
      audience: 'sellers',
      load: async () => (await import('./delivery/webhooks.pages.js')).WebhookPages,
    },
  },
  module: async () => (await import('./webhooks.module.js')).WebhooksModule,
} as const satisfies FeatureDeclaration;
