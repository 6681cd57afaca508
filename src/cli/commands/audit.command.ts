import { Command } from 'commander';
import { AuditService } from '../../modules/audit/audit.service.js';
import { auditMissingCommand } from './audit-missing.command.js';
import { jsonLine } from '../json-line.js';
import { parseWholeNumber } from '../options.js';
import { withService } from '../with-service.js';

/** `audit`: who changed what. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('show the last changes made through the service, one line of JSON each')
    .option('--last <count>', 'how many', parseWholeNumber, 100)
    .action(({ last }: { readonly last: number }) =>
      withService(async (services) => {
        for (const entry of await services.get(AuditService).lastEntries(last)) {
          process.stdout.write(`${jsonLine(entry)}\n`);
        }
        return 0;
      }),
    )
    .addCommand(auditMissingCommand());
}
