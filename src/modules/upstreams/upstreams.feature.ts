import type { FeatureDeclaration } from '../../feature.js';

export const UPSTREAMS = {
  name: 'upstreams',
  settings: {
    vendorUpstreams: {
      name: 'VENDOR_UPSTREAMS',
      kind: 'flag',
      default: true,
      inProduction: false,
      purpose: 'Lets vendors add upstreams on the account pages; an operator always may.',
    },
  },
  commands: {
    upstreams: {
      order: 130,
      load: async () =>
        (await import('../../cli/commands/upstreams/upstreams.command.js')).upstreamsCommand,
    },
  },
  pages: {
    upstream: {
      path: '/account/upstream',
      permission: 'account',
      navigation: { label: 'Mirror', order: 70 },
      load: async () => (await import('../../pages/upstreams/upstream.pages.js')).UpstreamPages,
    },
  },
  module: async () => (await import('./upstreams.module.js')).UpstreamsModule,
} as const satisfies FeatureDeclaration;
