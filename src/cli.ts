import 'reflect-metadata';
import { Command } from 'commander';
import { auditCommand } from './cli/audit.command.js';
import { importCommand } from './cli/import.command.js';
import { keysCommand } from './cli/keys.command.js';
import { limitsCommand } from './cli/limits.command.js';
import { usersCommand } from './cli/users.command.js';
import { verifyCommand } from './cli/verify.command.js';

const program = new Command('cli')
  .description('Commands of the Vendor Reporting API')
  .addCommand(importCommand())
  .addCommand(verifyCommand())
  .addCommand(keysCommand())
  .addCommand(limitsCommand())
  .addCommand(usersCommand())
  .addCommand(auditCommand());

await program.parseAsync();
