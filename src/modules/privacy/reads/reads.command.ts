import { Command } from 'commander';
import { ExtensionOperations } from './extension-operations.js';
import {
  isOfList,
  keysOf,
  operationText,
  type KeptReads,
  type ReadPosition,
} from './personal-read.model.js';
import { PersonalReadsService } from './personal-reads.service.js';
import { SaleService } from '../../reports/index.js';
import { parseDay, parseInteger, type JsonOption } from '../../../platform/commands/options.js';
import { print, printLine } from '../../../platform/commands/output.js';
import { ServiceCommand } from '../../../platform/commands/with-service.js';

const ROWS = 500;

interface Options extends JsonOption {
  readonly vendor: number;
  readonly transaction?: string;
  readonly from?: string;
  readonly to?: string;
}

export function readsCommand(): Command {
  return new Command('reads')
    .description("who read the personal data of vendors' customers (setting PERSONAL_DATA_READS)")
    .addCommand(listCommand());
}

function listCommand(): Command {
  return new ServiceCommand('list')
    .description('list the reads of the last 90 days, newest first')
    .requiredOption('--vendor <id>', 'the vendor of the customers', parseInteger)
    .option(
      '--transaction <id>',
      'only reads of this transaction or recurring payment, and of lists that may have had it',
    )
    .option('--from <day>', 'only since this day in UTC', parseDay)
    .option('--to <day>', 'only until this day, included', parseDay)
    .option('--json', 'print a line of JSON for each', false)
    .run(async (services, options: Options) => {
      const titles = services.get(ExtensionOperations).titles();
      const reads = services.get(PersonalReadsService);
      await printReads(reads, services.get(SaleService), titles, options);
    });
}

async function printReads(
  reads: PersonalReadsService,
  sales: SaleService,
  titles: ReadonlyMap<string, string>,
  { vendor, transaction, from, to, json }: Options,
): Promise<void> {
  const record =
    transaction === undefined
      ? null
      : { record_key: transaction, days: await sales.daysInLists(vendor, transaction) };
  const criteria = {
    vendor_id: vendor,
    record,
    first_day: from ?? null,
    last_day: to ?? null,
  };
  let position: ReadPosition | null = null;
  let count = 0;
  do {
    const page = await reads.page(criteria, position, ROWS);
    for (const read of page.reads) printRead(read, titles, json);
    count += page.reads.length;
    position = page.next;
  } while (position !== null);
  if (!json && count === 0) printLine('There are no reads.');
}

function printRead(read: KeptReads, titles: ReadonlyMap<string, string>, json: boolean): void {
  const { read_at, user_id, application_id, operation, first_day, last_day } = read;
  const record_keys = read.record_keys === null ? null : keysOf(read);
  const { records, times } = read;
  const shown = { read_at, user_id, application_id, operation, record_keys };
  print({ ...shown, first_day, last_day, records, times }, json, () => {
    const who = `user ${user_id}, application ${application_id}`;
    return `${read_at} UTC, ${who}: ${operationText(operation, titles)}: ${record_keys?.join(', ') ?? withoutKeys(read)}`;
  });
}

/** Returns what a read without keys has read: a list, or records of an extension. */
function withoutKeys(read: KeptReads): string {
  const { first_day, last_day, records } = read;
  if (!isOfList(read)) return records === 1 ? '1 record' : `${records ?? 'some'} records`;
  const range = first_day === null ? '' : ` of ${first_day} to ${last_day}`;
  return `list${range}, ${records ?? 'some'} records`;
}
