import type { Command } from 'commander';

interface CommandEntry {
  readonly name: string;
  /** Loads the modules of the command, which for most commands is the whole service. */
  readonly load: () => Promise<() => Command>;
}

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'import',
    load: async () => (await import('./commands/import.command.js')).importCommand,
  },
  {
    name: 'export',
    load: async () => (await import('./commands/export.command.js')).exportCommand,
  },
  {
    name: 'follow',
    load: async () => (await import('./commands/follow.command.js')).followCommand,
  },
  {
    name: 'migrate',
    load: async () => (await import('./commands/migrate.command.js')).migrateCommand,
  },
  { name: 'reads', load: async () => (await import('./commands/reads.command.js')).readsCommand },
  {
    name: 'retention',
    load: async () => (await import('./commands/retention.command.js')).retentionCommand,
  },
  {
    name: 'verify',
    load: async () => (await import('./commands/verify.command.js')).verifyCommand,
  },
  { name: 'keys', load: async () => (await import('./commands/keys.command.js')).keysCommand },
  {
    name: 'limits',
    load: async () => (await import('./commands/limits.command.js')).limitsCommand,
  },
  {
    name: 'sources',
    load: async () => (await import('./commands/sources.command.js')).sourcesCommand,
  },
  { name: 'users', load: async () => (await import('./commands/users.command.js')).usersCommand },
  {
    name: 'webhooks',
    load: async () => (await import('./commands/webhooks.command.js')).webhooksCommand,
  },
  {
    name: 'upstreams',
    load: async () => (await import('./commands/upstreams/upstreams.command.js')).upstreamsCommand,
  },
  {
    name: 'people',
    load: async () => (await import('./commands/people/people.command.js')).peopleCommand,
  },
  { name: 'audit', load: async () => (await import('./commands/audit.command.js')).auditCommand },
];
