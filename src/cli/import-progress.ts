import { MultiBar } from 'cli-progress';
import type { LedgerSource } from '../ledger-format/ledger-file.js';

/** What an import shows on standard error while it runs. */
export interface ImportProgress {
  show(lines: number): void;
  /** Prints a line of its own. */
  print(line: string): void;
  end(): void;
}

/** A bar on a terminal, with lines above it; elsewhere the lines alone. */
export function progressOf(source: LedgerSource): ImportProgress {
  return process.stderr.isTTY ? new ProgressBar(source) : LINES_ALONE;
}

const LINES_ALONE: ImportProgress = {
  show: () => undefined,
  print: (line) => process.stderr.write(`${line}\n`),
  end: () => undefined,
};

/** A stack of one bar: unlike a single one, it can print lines and stays below them. */
class ProgressBar implements ImportProgress {
  private readonly begun = performance.now();
  private readonly bars: MultiBar;
  private readonly bar: ReturnType<MultiBar['create']>;

  constructor(private readonly source: LedgerSource) {
    const total = source.totalBytes;
    const remaining = total === null ? '' : ' [{bar}] {percentage}% | {eta_formatted} left';
    this.bars = new MultiBar({
      format: `{lines} lines | {rate} a second |${remaining}`,
      // Several bars are cut off at the edge: with ten million lines, too, this fits in 80 columns.
      barsize: 20,
      // Drawn again below a line that was printed where it stood.
      forceRedraw: true,
    });
    this.bar = this.bars.create(total ?? 0, 0, { lines: 0, rate: 0 });
  }

  show(lines: number): void {
    const rate = Math.round((lines * 1_000) / Math.max(1, performance.now() - this.begun));
    this.bar.update(this.source.readBytes(), { lines, rate });
  }

  print(line: string): void {
    this.bars.log(`${line}\n`);
  }

  end(): void {
    // Prints what still waits to be.
    this.bars.update();
    this.bars.stop();
  }
}
