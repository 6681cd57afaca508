import type { Command } from 'commander';
import {
  openLedger,
  UnreadableFileError,
  type LedgerSource,
} from '../../ledger/files/ledger-file.js';
import { rejectedOf, type ImportSummary, ImportService } from './import.service.js';
import { printError, printJson } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';
import { MultiBar } from 'cli-progress';

interface Options {
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly json: boolean;
}

const ALL_ACCEPTED = 0;
const SOME_REJECTED = 1;
const UNREADABLE = 2;
const SHOWN_IF_ANY = ['stale', 'warnings'];

export function importCommand(): Command {
  return new ServiceCommand('import')
    .description(
      'import a ledger file; exit status 0: no line rejected, 1: lines rejected, 2: unreadable',
    )
    .argument('<file>', 'NDJSON, plain or gzip; - for standard input')
    .option('--dry-run', 'check everything and write nothing', false)
    .option('--strict', 'stop at the first bad line and apply nothing of its batch', false)
    .option('--json', 'print the summary as one JSON object', false)
    .run((services, file: string, options: Options) =>
      runImport(services.get(ImportService), file, options),
    );
}

async function runImport(importer: ImportService, file: string, options: Options): Promise<number> {
  try {
    const source = await openLedger(file);
    const summary = await importFrom(source, importer, options);
    if (options.json) printJson(summary);
    else process.stdout.write(tableOf(summary));
    return rejectedOf(summary) === 0 ? ALL_ACCEPTED : SOME_REJECTED;
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    printError(`${file}: cannot be read: ${error.message}`);
    return UNREADABLE;
  }
}

async function importFrom(
  source: LedgerSource,
  importer: ImportService,
  { dryRun, strict }: Options,
): Promise<ImportSummary> {
  const progress = progressOf(source);
  const problems = new ProblemLines('problems', progress);
  const warnings = new ProblemLines('warnings', progress);
  try {
    return await importer.import(source.bytes, {
      source: source.name,
      dryRun,
      strict,
      onProblem: problems.report,
      onWarning: warnings.report,
      onProgress: (lines) => {
        progress.show(lines);
      },
    });
  } finally {
    problems.reportRest();
    warnings.reportRest();
    // This ends the timer of the progress bar and an unfinished read of standard input, which would
    // keep the process alive.
    progress.end();
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
      const shown = Object.entries(counts)
        .filter(([what, count]) => !SHOWN_IF_ANY.includes(what) || count > 0)
        .map(([what, count]) => `${count} ${what}`);
      return `${type.padEnd(18)} ${shown.join(', ')}\n`;
    })
    .join('');
}

/**
 * Maximum number of problems that are shown, because a wrong column of a file causes a problem in
 * every line.
 */
const MAX_SHOWN = 100;

/** Reports problems or warnings by line: the first ones in full, the rest as a count. */
class ProblemLines {
  private count = 0;

  constructor(
    private readonly kind: 'problems' | 'warnings',
    private readonly output: Pick<ImportProgress, 'print'>,
  ) {}

  readonly report = (line: number, what: string): void => {
    this.count += 1;
    if (this.count > MAX_SHOWN) return;
    this.output.print(`line ${line}: ${this.kind === 'warnings' ? 'warning: ' : ''}${what}`);
  };

  reportRest(): void {
    const rest = this.count - MAX_SHOWN;
    if (rest > 0) this.output.print(`and ${rest.toLocaleString('en')} more ${this.kind}`);
  }
}

interface ImportProgress {
  show(lines: number): void;
  print(line: string): void;
  end(): void;
}

/**
 * Returns a progress bar on a terminal, with printed lines above it, and otherwise a progress that
 * prints only the lines.
 */
function progressOf(source: LedgerSource): ImportProgress {
  return process.stderr.isTTY ? new ProgressBar(source) : LINES_ONLY;
}

const LINES_ONLY: ImportProgress = {
  show: () => undefined,
  print: (line) => process.stderr.write(`${line}\n`),
  end: () => undefined,
};

/** Shows a MultiBar of one bar, because it can print lines above itself, unlike a SingleBar. */
class ProgressBar implements ImportProgress {
  private readonly startedAt = performance.now();
  private readonly bars: MultiBar;
  private readonly bar: ReturnType<MultiBar['create']>;

  constructor(private readonly source: LedgerSource) {
    const total = source.totalBytes;
    const remaining = total === null ? '' : ' [{bar}] {percentage}% | {eta_formatted} left';
    this.bars = new MultiBar({
      format: `{lines} lines | {rate} a second |${remaining}`,
      // A MultiBar is cut off at the edge; this width fits 80 columns even with ten million lines.
      barsize: 20,
      // Redraws the bar below a printed line.
      forceRedraw: true,
    });
    this.bar = this.bars.create(total ?? 0, 0, { lines: 0, rate: 0 });
  }

  show(lines: number): void {
    const rate = Math.round((lines * 1_000) / Math.max(1, performance.now() - this.startedAt));
    this.bar.update(this.source.readBytes(), { lines, rate });
  }

  print(line: string): void {
    this.bars.log(`${line}\n`);
  }

  end(): void {
    // Flushes lines that are not printed yet.
    this.bars.update();
    this.bars.stop();
  }
}
