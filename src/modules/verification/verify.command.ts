import type { Command } from 'commander';
import { VerificationService } from './verification.service.js';
import { printLine } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';

export function verifyCommand(): Command {
  return new ServiceCommand('verify')
    .description(
      'recompute all derived data; prints differences and exits with status 1 if there are any',
    )
    .run(async (services) => {
      const differences = await services.get(VerificationService).differences();
      for (const { figure, kept, actual } of differences) {
        printLine(`${figure}: kept ${kept}, actual ${actual}`);
      }
      if (differences.length > 0) return 1;
      printLine('All derived data matches the ledger.');
      return 0;
    });
}
