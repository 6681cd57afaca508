import type { FeatureDeclaration } from '../../feature.js';

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
  module: async () => (await import('./audit.module.js')).AuditModule,
} as const satisfies FeatureDeclaration;
