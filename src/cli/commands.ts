import type { Command } from 'commander';

/** Loads the modules of a command, which for most commands is the whole service. */
type Load = () => Promise<() => Command>;

/** All commands by name, in the order in which the help lists them. */
export const COMMANDS: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['import', async () => (await import('./commands/import.command.js')).importCommand],
  ['export', async () => (await import('./commands/export.command.js')).exportCommand],
  ['follow', async () => (await import('./commands/follow.command.js')).followCommand],
  ['migrate', async () => (await import('./commands/migrate.command.js')).migrateCommand],
  ['reads', async () => (await import('./commands/reads.command.js')).readsCommand],
  ['retention', async () => (await import('./commands/retention.command.js')).retentionCommand],
  ['verify', async () => (await import('./commands/verify.command.js')).verifyCommand],
  ['keys', async () => (await import('./commands/keys.command.js')).keysCommand],
  ['limits', async () => (await import('./commands/limits.command.js')).limitsCommand],
  ['sources', async () => (await import('./commands/sources.command.js')).sourcesCommand],
  ['users', async () => (await import('./commands/users.command.js')).usersCommand],
  ['webhooks', async () => (await import('./commands/webhooks.command.js')).webhooksCommand],
  [
    'upstreams',
    async () => (await import('./commands/upstreams/upstreams.command.js')).upstreamsCommand,
  ],
  ['people', async () => (await import('./commands/people/people.command.js')).peopleCommand],
  ['audit', async () => (await import('./commands/audit.command.js')).auditCommand],
]);
