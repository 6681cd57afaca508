import { Command } from 'commander';
import { AuditService } from '../../modules/audit/audit.service.js';
import { auditMissingCommand } from './audit-missing.command.js';
import { parseInteger } from '../options.js';
import { printJson } from '../output.js';
import { withService } from '../with-service.js';

export function auditCommand(): Command {
  return new Command('audit')
    .description('show the last changes made through the service, one line of JSON each')
    .option('--last <count>', 'how many', parseInteger, 100)
    .action(({ last }: { readonly last: number }) =>
      withService(async (services) => {
        for (const entry of await services.get(AuditService).lastEntries(last)) printJson(entry);
      }),
    )
    .addCommand(auditMissingCommand());
}
