import { MultiBar } from 'cli-progress';
import { shownText } from '../../../common/shown-text.js';
import type { ShownUpstream } from '../../../modules/upstreams/upstream.model.js';
import { barLineOf, problemLineOf } from './upstream-lines.js';

export interface RunProgress {
  show(upstream: ShownUpstream): void;
  end(): void;
}

/**
 * Returns a progress bar on a terminal, with problems above it, and otherwise a progress that
 * prints nothing.
 */
export function progressOf(): RunProgress {
  return process.stderr.isTTY ? new ProgressBar() : NOTHING;
}

const NOTHING: RunProgress = { show: () => undefined, end: () => undefined };

/** Shows a MultiBar of one bar, because it can print lines above itself, unlike a SingleBar. */
class ProgressBar implements RunProgress {
  private readonly rate = new ReadRate();
  private readonly bars = new MultiBar({
    format: '{line}',
    // Redraws the bar below a printed line.
    forceRedraw: true,
    // The command ends the bar itself, after the run.
    gracefulExit: false,
  });
  private bar: ReturnType<MultiBar['create']> | null = null;
  private problem: string | null = null;

  show(upstream: ShownUpstream): void {
    const problem = problemLineOf(upstream);
    if (problem !== null && problem !== this.problem) this.bars.log(`${shownText(problem)}\n`);
    this.problem = problem;
    const line = shownText(barLineOf(upstream, this.rate.rateAt(upstream.listed)));
    this.bar ??= this.bars.create(1, 0, { line });
    this.bar.update({ line });
  }

  end(): void {
    // There is no bar if the upstream is unknown.
    if (this.bar === null) return;
    // Flushes lines that are not printed yet.
    this.bars.update();
    this.bars.stop();
  }
}

/** Measures how many transactions a run reads per second, with a monotonic clock. */
export class ReadRate {
  private began: { readonly at: number; readonly listed: number } | null = null;
  private last = 0;

  /** @param now a monotonic time in milliseconds, with any origin */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param listed number of transactions that the run has read so far; a new run begins at 0 again
   */
  rateAt(listed: number): number {
    const at = this.now();
    if (this.began === null) this.began = { at, listed };
    else if (listed < this.last) this.began = { at, listed: 0 };
    this.last = listed;
    const { at: since, listed: before } = this.began;
    return Math.round(((listed - before) * 1_000) / Math.max(1, at - since));
  }
}
