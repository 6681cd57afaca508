import type { FeatureDeclaration } from '../../feature.js';

export const PEOPLE = {
  name: 'people',
  settings: {
    erasuresFile: {
      name: 'ERASURES_FILE',
      kind: 'file',
      example: '/var/lib/vendor-reporting/erasures.ndjson',
      purpose: 'Records erasures of people outside the database; by default beside it.',
    },
  },
  commands: {
    people: {
      order: 140,
      load: async () => (await import('../../cli/commands/people/people.command.js')).peopleCommand,
    },
  },
  pages: {
    people: {
      path: '/account/people',
      permission: 'account',
      load: async () => (await import('../../pages/people/people.pages.js')).PeoplePages,
    },
  },
  module: async () => (await import('./people.module.js')).PeopleModule,
} as const satisfies FeatureDeclaration;
