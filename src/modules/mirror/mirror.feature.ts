import type { FeatureDeclaration } from '../../feature.js';
import type { UPSTREAM_PATH } from '../../platform/pages/paths.js';

export const MIRROR = {
  name: 'mirror',
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
      load: async () => (await import('./upstreams.command.js')).upstreamsCommand,
    },
  },
  pages: {
    upstream: {
      path: '/account/upstream' satisfies typeof UPSTREAM_PATH,
      permission: 'account',
      group: 'settings',
      navigation: { label: 'Import', order: 98 },
      audience: 'sellers',
      load: async () => (await import('./upstream.pages.js')).UpstreamPages,
    },
  },
  module: async () => (await import('./mirror.module.js')).MirrorModule,
} as const satisfies FeatureDeclaration;
