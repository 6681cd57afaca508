import type { FeatureDeclaration } from '../../feature.js';

export const RECORDS_IN = {
  name: 'records-in',
  settings: {
    spoolFolder: {
      name: 'RECORDS_SPOOL_FOLDER',
      kind: 'folder',
      example: '/var/tmp',
      purpose: 'Stores records that a source sends until all have arrived.',
    },
    spoolMebibytes: {
      name: 'RECORDS_SPOOL_MB',
      kind: 'integer',
      // The minimum fits one request, which has up to 32 MiB.
      min: 32,
      max: 65_536,
      default: 256,
      purpose: 'Limits the disk space of each process for these records, in MiB.',
    },
    maxUsers: {
      name: 'SOURCE_MAX_USERS',
      kind: 'integer',
      min: 0,
      max: 10_000_000,
      default: 100_000,
      purpose: 'Limits the users that the sources and upstreams of one vendor create together.',
    },
    maxProducts: {
      name: 'SOURCE_MAX_PRODUCTS',
      kind: 'integer',
      min: 0,
      max: 10_000_000,
      default: 10_000,
      purpose: 'Limits the products that the sources and upstreams of one vendor create together.',
    },
  },
  commands: {
    import: {
      order: 10,
      load: async () => (await import('./import.command.js')).importCommand,
    },
    sources: {
      order: 100,
      load: async () => (await import('./sources.command.js')).sourcesCommand,
    },
  },
  module: async () => (await import('./records-in.module.js')).RecordsInModule,
} as const satisfies FeatureDeclaration;
