import { MultiBar } from 'cli-progress';
import type { LedgerSource } from '../ledger-format/ledger-file.js';

export interface ImportProgress {
  show(lines: number): void;
  print(line: string): void;
  end(): void;
}

/**
 * Returns a progress bar on a terminal, with printed lines above it, and otherwise a progress that
 * prints only the lines.
 */
export function progressOf(source: LedgerSource): ImportProgress {
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
