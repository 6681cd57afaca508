import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import {
  openLedger,
  UnreadableFileError,
  type LedgerSource,
} from '../modules/ledger/ledger-file.js';
import { rejectedOf, type ImportSummary } from '../modules/ledger/import-summary.model.js';
import { LedgerService } from '../modules/ledger/ledger.service.js';
import { withService } from './with-service.js';

interface Options {
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly json: boolean;
}

const ALL_TAKEN = 0;
const SOME_REJECTED = 1;
const UNREADABLE = 2;

/** `import FILE` (ledger format: What the importer does). */
export function importCommand(): Command {
  return new Command('import')
    .description('apply a ledger file; exit status 0: all taken, 1: lines rejected, 2: unreadable')
    .argument('<file>', 'NDJSON, also gzip-compressed; - for standard input')
    .option('--dry-run', 'check everything and write nothing', false)
    .option('--strict', 'stop at the first bad line, with nothing of its batch applied', false)
    .option('--json', 'print the summary as one JSON object', false)
    .action((file: string, options: Options) =>
      withService((services) => runImport(services.get(LedgerService), file, options)),
    );
}

async function runImport(ledger: LedgerService, file: string, options: Options): Promise<number> {
  try {
    const source = await openLedger(file);
    const progress = progressOf(source);
    let summary: ImportSummary;
    try {
      summary = await ledger.import(source.bytes, {
        dryRun: options.dryRun,
        strict: options.strict,
        onProblem: (line, problem) => process.stderr.write(`line ${line}: ${problem}\n`),
        onProgress: progress.show,
      });
    } finally {
      // Until then its timer keeps the process from ending.
      progress.end();
      // So does a read of standard input, where the import stopped before its end.
      source.close();
    }
    process.stdout.write(options.json ? `${JSON.stringify(summary)}\n` : tableOf(summary));
    return rejectedOf(summary) === 0 ? ALL_TAKEN : SOME_REJECTED;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    process.stderr.write(`${file}: can not be read: ${error.message}\n`);
    return UNREADABLE;
  }
}

/** A bar on a terminal; elsewhere nothing. */
function progressOf(source: LedgerSource): { show: (lines: number) => void; end: () => void } {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined };
  const begun = Date.now();
  const total = source.totalBytes;
  const remaining = total === null ? '' : ' [{bar}] {percentage}% | {eta_formatted} left';
  const bar = new SingleBar({ format: `{lines} lines | {rate} a second |${remaining}` });
  bar.start(total ?? 0, 0, { lines: 0, rate: 0 });
  return {
    show: (lines) => {
      const rate = Math.round((lines * 1_000) / Math.max(1, Date.now() - begun));
      bar.update(source.readBytes(), { lines, rate });
    },
    end: () => {
      bar.stop();
    },
  };
}

function tableOf(summary: ImportSummary): string {
  const rows = Object.entries(summary).filter(([, counts]) =>
    Object.values(counts).some((count) => count > 0),
  );
  if (rows.length === 0) return 'The file holds no records.\n';
  return rows
    .map(([type, counts]) => {
      const told = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
      return `${type.padEnd(18)} ${told.join(', ')}\n`;
    })
    .join('');
}
