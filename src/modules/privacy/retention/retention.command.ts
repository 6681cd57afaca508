import { Command, InvalidArgumentError } from 'commander';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { dateTimeOf, dayOf } from '../../../platform/values/time.js';
import { RetentionRulesService } from './retention-rules.service.js';
import { ALL_VENDORS, MAX_MONTHS, type RetentionRun } from './retention.model.js';
import { RetentionRunService } from './retention-run.service.js';
import { parseInteger, type JsonOption } from '../../../platform/commands/options.js';
import { print, printLine } from '../../../platform/commands/output.js';
import { stopSignal } from '../../../platform/commands/stop-signal.js';
import { ServiceCommand } from '../../../platform/commands/with-service.js';

interface Whose extends JsonOption {
  readonly vendor?: number;
  readonly all: boolean;
}
type SetOptions = Whose & { readonly months?: number; readonly forEver: boolean };
type RunOptions = Omit<Whose, 'all'>;

export function retentionCommand(): Command {
  return new Command('retention')
    .description('how many months the personal data of customers is stored')
    .addCommand(setCommand())
    .addCommand(clearCommand())
    .addCommand(listCommand())
    .addCommand(runCommand());
}

function setCommand(): Command {
  return whose(
    new ServiceCommand('set'),
    'set the months for a vendor, or for all who have none of their own',
  )
    .option('--months <number>', `1 to ${MAX_MONTHS}`, parseMonths)
    .option('--for-ever', 'keep personal data', false)
    .hook('preAction', (command) => {
      const { months, forEver } = command.opts<SetOptions>();
      if ((months === undefined) !== forEver) {
        command.error('error: give either --months or --for-ever');
      }
    })
    .run(async (services, { vendor = ALL_VENDORS, months, json }: SetOptions) => {
      const rule = { vendor_id: vendor, months: months ?? null };
      await services.get(RetentionRulesService).set(rule, BY_OPERATOR);
      print(rule, json, ruleLine);
    });
}

function clearCommand(): Command {
  return whose(new ServiceCommand('clear'), 'remove the rule; what was emptied stays empty').run(
    async (services, { vendor: vendor_id = ALL_VENDORS, json }: Whose) => {
      await services.get(RetentionRulesService).clear(vendor_id, BY_OPERATOR);
      print({ vendor_id }, json, () => `${nameOf(vendor_id)}: no rule.`);
    },
  );
}

function listCommand(): Command {
  return new ServiceCommand('list')
    .description('list the rules, and from which day on vendors have personal data')
    .option('--json', 'print a line of JSON for each', false)
    .run(async (services, { json }: JsonOption) => {
      const retention = services.get(RetentionRulesService);
      const rules = await retention.rules();
      for (const rule of rules) print(rule, json, ruleLine);
      for (const { vendor_id, retained_from, done_on } of await retention.ledgers()) {
        const last = done_on === null ? 'not finished yet' : `last finished on ${done_on}`;
        const line = `${nameOf(vendor_id)}: personal data since ${retained_from}, ${last}`;
        print({ vendor_id, retained_from, done_on }, json, () => line);
      }
      if (!json && rules.length === 0) printLine('There are no rules.');
    });
}

function runCommand(): Command {
  return new ServiceCommand('run')
    .description('remove expired personal data now, not only once a day; it can be interrupted')
    .option('--vendor <id>', 'only of this vendor', parseInteger)
    .option('--json', 'print a line of JSON for each vendor', false)
    .run(async (services, { vendor, json }: RunOptions) => {
      const runs = services.get(RetentionRunService);
      const today = dayOf(dateTimeOf(new Date()));
      const signal = stopSignal();
      for (const due of await runs.vendors(today, vendor)) {
        if (signal.aborted) return false;
        const run = await runs.run(due, { today, signal, onProgress: showProgress });
        if (run !== null) printRun(run, json);
      }
      return !signal.aborted;
    });
}

function whose(command: ServiceCommand, description: string): ServiceCommand {
  return command
    .description(description)
    .option('--vendor <id>', 'the vendor', parseInteger)
    .option('--all', 'all vendors who have no rule of their own', false)
    .option('--json', 'print one line of JSON', false)
    .hook('preAction', () => {
      const { vendor, all } = command.opts<Whose>();
      if ((vendor === undefined) !== all) command.error('error: give either --vendor or --all');
    });
}

/** Shows the counts on a terminal, over the line of the previous batch. */
function showProgress({ vendor_id, transactions, recurring_payments }: RetentionRun): void {
  if (!process.stderr.isTTY) return;
  const counts = `${transactions} transactions, ${recurring_payments} recurring payments`;
  process.stderr.write(`\r${nameOf(vendor_id)}: ${counts}`);
}

function printRun(run: RetentionRun, json: boolean): void {
  const { vendor_id, retained_from, transactions, recurring_payments } = run;
  if (process.stderr.isTTY) process.stderr.write('\n');
  const counts = `${transactions} transactions and ${recurring_payments} recurring payments`;
  const line = `${nameOf(vendor_id)}: ${counts} before ${retained_from} were emptied.`;
  print({ vendor_id, retained_from, transactions, recurring_payments }, json, () => line);
}

function ruleLine({ vendor_id, months }: { vendor_id: number; months: number | null }): string {
  const kept = months === null ? 'for ever' : `for ${months} ${months === 1 ? 'month' : 'months'}`;
  return `${nameOf(vendor_id)}: personal data is kept ${kept}.`;
}

function nameOf(vendor_id: number): string {
  return vendor_id === ALL_VENDORS ? 'All vendors' : `Vendor ${vendor_id}`;
}

function parseMonths(text: string): number {
  const months = parseInteger(text);
  if (months < 1 || months > MAX_MONTHS) {
    throw new InvalidArgumentError(`It must be an integer from 1 to ${MAX_MONTHS}.`);
  }
  return months;
}
