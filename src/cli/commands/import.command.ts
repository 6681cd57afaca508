import { Command } from 'commander';
import { shownText } from '../../common/shown-text.js';
import {
  openLedger,
  UnreadableFileError,
  type LedgerSource,
} from '../../ledger-format/ledger-file.js';
import { rejectedOf, type ImportSummary } from '../../modules/import/import.model.js';
import { ImportService } from '../../modules/import/import.service.js';
import { progressOf, type ImportProgress } from '../import-progress.js';
import { ProblemLines } from '../problem-lines.js';
import { withService } from '../with-service.js';

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
    .description(
      'import a ledger file; exit status 0: no line rejected, 1: lines rejected, 2: unreadable',
    )
    .argument('<file>', 'NDJSON, plain or gzip; - for standard input')
    .option('--dry-run', 'check everything and write nothing', false)
    .option('--strict', 'stop at the first bad line and apply nothing of its batch', false)
    .option('--json', 'print the summary as one JSON object', false)
    .action((file: string, options: Options) =>
      withService((services) => runImport(services.get(ImportService), file, options)),
    );
}

async function runImport(importer: ImportService, file: string, options: Options): Promise<number> {
  try {
    const source = await openLedger(file);
    const summary = await showingProgress(source, (progress) =>
      importFrom(source, importer, options, progress),
    );
    process.stdout.write(options.json ? `${JSON.stringify(summary)}\n` : tableOf(summary));
    return rejectedOf(summary) === 0 ? ALL_TAKEN : SOME_REJECTED;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    process.stderr.write(`${shownText(`${file}: cannot be read: ${error.message}`)}\n`);
    return UNREADABLE;
  }
}

async function importFrom(
  source: LedgerSource,
  importer: ImportService,
  { dryRun, strict }: Options,
  progress: ImportProgress,
): Promise<ImportSummary> {
  const print = (line: string) => {
    progress.print(line);
  };
  const [problems, warnings] = [
    new ProblemLines('problems', print),
    new ProblemLines('warnings', print),
  ];
  try {
    return await importer.import(source.bytes, {
      source: source.name,
      dryRun,
      strict,
      onProblem: problems.tell,
      onWarning: warnings.tell,
      onProgress: (lines) => {
        progress.show(lines);
      },
    });
  } finally {
    problems.tellRest();
    warnings.tellRest();
  }
}

async function showingProgress<Result>(
  source: LedgerSource,
  work: (progress: ImportProgress) => Promise<Result>,
): Promise<Result> {
  const progress = progressOf(source);
  try {
    return await work(progress);
  } finally {
    // Until then its timer keeps the process from ending.
    progress.end();
    // So does a read of standard input, where the import stopped before its end.
    source.close();
  }
}

function tableOf(summary: ImportSummary): string {
  const rows = Object.entries(summary).filter(([, counts]) =>
    Object.values(counts).some((count) => count > 0),
  );
  if (rows.length === 0) return 'The file has no records.\n';
  return rows
    .map(([type, counts]) => {
      const told = Object.entries(counts)
        .filter(([what, count]) => what !== 'warnings' || count > 0)
        .map(([what, count]) => `${count} ${what}`);
      return `${type.padEnd(18)} ${told.join(', ')}\n`;
    })
    .join('');
}
