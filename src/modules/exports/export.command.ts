import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { BY_OPERATOR } from '../../platform/values/author.js';
import { OWNER_ONLY } from '../../platform/files/owner-only-file.js';
import { isCalendarDay } from '../../platform/values/time.js';
import { AccountsRepository } from '../accounts/index.js';
import { EXPORT_FORMATS, type CountedExport, type ExportFormat } from './formats.js';
import { PersonalReads } from '../../api/access/personal-reads.js';
import { ExportsService } from './exports.service.js';
import { parseInteger } from '../../platform/commands/options.js';
import { printError, printLine } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';

const UNKNOWN_VENDOR = 1;

interface Options {
  readonly vendor: number;
  readonly format: ExportFormat;
  readonly from?: string;
  readonly to?: string;
  readonly json: boolean;
}

/**
 * Builds `export`, which writes the same files as `GET /ledger/v1/transactions.ndjson` and its
 * other formats, without HTTP.
 */
export function exportCommand(): Command {
  return new ServiceCommand('export')
    .description("export a vendor's transactions, all from one state of the ledger")
    .argument('<file>', 'the new file; - for standard output')
    .requiredOption('--vendor <id>', 'id of the vendor', parseInteger)
    .addOption(
      new Option('--format <format>', 'form of the file').choices(EXPORT_FORMATS).default('ndjson'),
    )
    .option('--from <day>', 'only what was sold or refunded since this day in UTC', parseDay)
    .option('--to <day>', 'the last day, with --from', parseDay)
    .option('--json', 'print the count and the cursor as one JSON object', false)
    .hook('preAction', (command) => {
      const { from, to } = command.opts<Options>();
      if ((from === undefined) !== (to === undefined) || (from ?? '') > (to ?? '')) {
        command.error('error: --from and --to belong together, and --to is not before --from');
      }
    })
    .run(async (services, file: string, options: Options) => {
      const [vendor] = await services.get(AccountsRepository).usersByIds([options.vendor]);
      if (vendor !== undefined) {
        const log = services.get(PersonalReads);
        return runExport(services.get(ExportsService), log, file, options);
      }
      printError(`There is no user ${options.vendor}.`);
      return UNKNOWN_VENDOR;
    });
}

async function runExport(
  exports: ExportsService,
  log: PersonalReads,
  file: string,
  { vendor, format, from, to, json }: Options,
): Promise<number> {
  const range = from === undefined || to === undefined ? null : { start_date: from, end_date: to };
  const request = { vendor_id: vendor, range, format, withRefunds: true, isMasked: false };
  await exports.export(request, async (exported) => {
    log.add({
      vendor_id: vendor,
      ...BY_OPERATOR,
      operation: 'command.export',
      first_day: from ?? null,
      last_day: to ?? null,
      records: exported.count,
    });
    await write(exported, file);
    report(exported, file, json);
  });
  return 0;
}

/** Writes the file under a temporary name, and renames it once it is complete. */
async function write({ chunks, expired }: CountedExport, file: string): Promise<void> {
  if (file === '-') {
    await pipeline(chunks, process.stdout, { signal: expired, end: false });
    return;
  }
  const unfinished = `${file}.part`;
  try {
    await pipeline(chunks, createWriteStream(unfinished, { mode: OWNER_ONLY }), {
      signal: expired,
    });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Prints the result, to standard error if standard output has the file. */
function report({ count, cursor }: CountedExport, file: string, isJson: boolean): void {
  const line = isJson
    ? JSON.stringify({ file, count, cursor: String(cursor) })
    : `${count} transactions; the changes go on after the cursor ${cursor}.`;
  if (file === '-') printError(line);
  else printLine(line);
}

function parseDay(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError('It must be a date: YYYY-MM-DD.');
  return text;
}
