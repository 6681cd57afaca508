import 'reflect-metadata';
import { Command } from 'commander';
import { auditCommand } from './cli/commands/audit.command.js';
import { exportCommand } from './cli/commands/export.command.js';
import { followCommand } from './cli/commands/follow.command.js';
import { importCommand } from './cli/commands/import.command.js';
import { keysCommand } from './cli/commands/keys.command.js';
import { limitsCommand } from './cli/commands/limits.command.js';
import { migrateCommand } from './cli/commands/migrate.command.js';
import { peopleCommand } from './cli/commands/people/people.command.js';
import { readsCommand } from './cli/commands/reads.command.js';
import { renderCommand } from './cli/commands/render.command.js';
import { retentionCommand } from './cli/commands/retention.command.js';
import { upstreamsCommand } from './cli/commands/upstreams/upstreams.command.js';
import { usersCommand } from './cli/commands/users.command.js';
import { verifyCommand } from './cli/commands/verify.command.js';
import { webhooksCommand } from './cli/commands/webhooks.command.js';
import { codeOf } from './common/errors/is-error.js';
import { VERSION } from './common/version.js';

const program = new Command('cli')
  .description('Commands of the Vendor Reporting API')
  .version(VERSION)
  .addCommand(importCommand())
  .addCommand(exportCommand())
  .addCommand(followCommand())
  .addCommand(migrateCommand())
  .addCommand(readsCommand())
  .addCommand(retentionCommand())
  .addCommand(renderCommand())
  .addCommand(verifyCommand())
  .addCommand(keysCommand())
  .addCommand(limitsCommand())
  .addCommand(usersCommand())
  .addCommand(webhooksCommand())
  .addCommand(upstreamsCommand())
  .addCommand(peopleCommand())
  .addCommand(auditCommand());

// In `keys list | head -1` the reader closes the pipe, which is not an error.
process.stdout.on('error', (error) => {
  if (codeOf(error) !== 'EPIPE') throw error;
  process.exit();
});

await program.parseAsync();
