import type { FeatureDeclaration } from '../../feature.js';
import type { ACTIVITY_PATH } from '../../platform/pages/paths.js';

export const AUDIT = {
  name: 'audit',
  settings: {
    auditLog: {
      name: 'AUDIT_LOG',
      kind: 'flag',
      default: false,
      purpose: 'Also writes each audit entry to the log.',
    },
  },
  commands: {
    audit: {
      order: 150,
      load: async () => (await import('./audit.command.js')).auditCommand,
    },
  },
  pages: {
    activity: {
      path: '/account/activity' satisfies typeof ACTIVITY_PATH,
      permission: 'account',
      group: 'settings',
      navigation: { label: 'Activity', order: 95 },
      load: async () => (await import('./activity/activity.pages.js')).ActivityPages,
    },
  },
  module: async () => (await import('./audit.module.js')).AuditModule,
} as const satisfies FeatureDeclaration;
