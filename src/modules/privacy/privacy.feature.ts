import type { FeatureDeclaration } from '../../feature.js';
import type { DATA_PROTECTION_PATH, PEOPLE_PATH } from '../../platform/pages/paths.js';

export const PRIVACY = {
  name: 'privacy',
  settings: {
    personalDataReads: {
      name: 'PERSONAL_DATA_READS',
      kind: 'flag',
      default: false,
      purpose: 'Records who reads personal data of customers.',
    },
    erasuresFile: {
      name: 'ERASURES_FILE',
      kind: 'file',
      example: '/var/lib/vendor-reporting/erasures.ndjson',
      purpose: 'Records erasures of people outside the database; by default beside it.',
    },
  },
  commands: {
    reads: {
      order: 50,
      load: async () => (await import('./reads/reads.command.js')).readsCommand,
    },
    retention: {
      order: 60,
      load: async () => (await import('./retention/retention.command.js')).retentionCommand,
    },
    people: {
      order: 140,
      load: async () => (await import('./people.command.js')).peopleCommand,
    },
  },
  pages: {
    people: {
      path: '/account/people' satisfies typeof PEOPLE_PATH,
      permission: 'account',
      group: 'settings',
      audience: 'sellers',
      load: async () => (await import('./people/people.pages.js')).PeoplePages,
    },
    dataProtection: {
      path: '/account/data-protection' satisfies typeof DATA_PROTECTION_PATH,
      permission: 'account',
      group: 'settings',
      navigation: { label: 'Data protection', order: 80 },
      audience: 'sellers',
      load: async () => (await import('./retention/data-protection.pages.js')).DataProtectionPages,
    },
  },
  module: async () => (await import('./privacy.module.js')).PrivacyModule,
} as const satisfies FeatureDeclaration;
