import type { FeatureDeclaration } from '../../feature.js';
import type { SUBSCRIPTIONS_PATH } from '../../platform/pages/paths.js';

export const RECURRING = {
  name: 'recurring',
  settings: {
    processorUrl: {
      name: 'PAYMENT_PROCESSOR_URL',
      kind: 'url',
      with: 'PAYMENT_PROCESSOR_SECRET',
      example: 'https://processor.example/cancel',
      purpose: 'Receives cancellations of subscriptions; without it, they are only recorded.',
    },
    processorSecret: {
      name: 'PAYMENT_PROCESSOR_SECRET',
      kind: 'secret',
      with: 'PAYMENT_PROCESSOR_URL',
      min: 32,
      purpose: 'Signs the requests to the payment processor.',
    },
  },
  pages: {
    subscriptions: {
      path: '/account/subscriptions' satisfies typeof SUBSCRIPTIONS_PATH,
      permission: 'account',
      group: 'customers',
      navigation: { label: 'Subscriptions', order: 20 },
      audience: 'sellers',
      load: async () => (await import('./list/subscriptions.pages.js')).SubscriptionPages,
    },
  },
  module: async () => (await import('./recurring.module.js')).RecurringModule,
} as const satisfies FeatureDeclaration;
