import type { Command } from 'commander';
import type { JsonOption } from '../../../platform/commands/options.js';
import { print } from '../../../platform/commands/output.js';
import { ServiceCommand } from '../../../platform/commands/with-service.js';
import { ErasuresCheckService } from '../people/erasures-check.job.js';
import { ExtensionSweepService, type SweptTable } from './extension-sweep.service.js';

/** Builds `erase`, which needs no code of the extension. */
export function eraseExtensionCommand(): Command {
  return new ServiceCommand('erase')
    .description('apply all erasures and retention to the tables of an extension')
    .argument('<name>', 'name of the extension, which need not be installed')
    .option('--json', 'print a line of JSON for each table', false)
    .withoutExtensions()
    .run(async (services, name: string, { json }: JsonOption) => {
      await services.get(ErasuresCheckService).check();
      for (const table of await services.get(ExtensionSweepService).sweepTablesOf(name)) {
        print(table, json, lineOf);
      }
    });
}

function lineOf({ table, rows }: SweptTable): string {
  if (rows === null) return `${table}: no personal data is declared, or the table no longer exists`;
  return `${table}: ${rows} rows emptied`;
}
