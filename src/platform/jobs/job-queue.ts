import { JobLoop } from './job-loop.js';

interface Job {
  readonly id: number | string;
}

/** Limits how many jobs of a group run at a time in a process. */
export interface SlotLimit<Due> {
  readonly max: number;
  /** Returns what the jobs of a group have in common, or null for a job without this limit. */
  readonly group: (job: Due) => number | string | null;
}

interface Attempt<Due> {
  readonly job: Due;
  readonly ending: AbortController;
  readonly end: Promise<void>;
}

/** The group of a limit for all jobs. */
export function everyJob(): string {
  return 'all';
}

/** Returns true if a job can run beside those that run already. */
export function hasSlot<Due>(
  running: readonly Due[],
  job: Due,
  limits: readonly SlotLimit<Due>[],
): boolean {
  return limits.every(({ max, group }) => {
    const own = group(job);
    return own === null || running.filter((each) => group(each) === own).length < max;
  });
}

/**
 * Looks for due jobs at an interval, and runs as many at a time as its limits allow. The others
 * wait for a free slot, in the order in which they were found.
 */
export abstract class JobQueue<Due extends Job> extends JobLoop {
  private readonly attempts = new Map<Due['id'], Attempt<Due>>();
  private found: readonly Due[] = [];

  constructor(
    failure: string,
    everyMs: number,
    private readonly limits: readonly SlotLimit<Due>[],
  ) {
    super(failure, everyMs);
  }

  /** Number of jobs that run. */
  protected get size(): number {
    return this.attempts.size;
  }

  /**
   * Returns due jobs, the most urgent first.
   * @param running ids of jobs that run already; they may be among the results
   */
  protected abstract due(running: ReadonlySet<Due['id']>): Promise<readonly Due[]>;

  /**
   * Tries to do a job.
   * @param ending aborts when the service stops; no other attempt has this signal, so its listeners
   *   stay few
   */
  protected abstract attempt(job: Due, ending: AbortController): Promise<void>;

  override async beforeApplicationShutdown(): Promise<void> {
    const stopped = super.beforeApplicationShutdown();
    for (const { ending } of this.attempts.values()) ending.abort();
    await stopped;
    await Promise.all([...this.attempts.values()].map(({ end }) => end));
  }

  protected async run(): Promise<void> {
    const before = new Set(this.attempts.keys());
    const due = await this.due(before);
    // A job that ran meanwhile may not be due any more.
    this.found = due.filter(({ id }) => !before.has(id));
    this.beginFound();
  }

  private beginFound(): void {
    if (this.stopping.signal.aborted) return;
    const running = [...this.attempts.values()].map(({ job }) => job);
    this.found = this.found.filter((job) => {
      if (this.attempts.has(job.id)) return false;
      if (!hasSlot(running, job, this.limits)) return true;
      running.push(job);
      this.begin(job);
      return false;
    });
  }

  private begin(job: Due): void {
    const ending = new AbortController();
    const end = this.reporting(this.attempt(job, ending)).finally(() => {
      this.attempts.delete(job.id);
      // The slot is available for the next job at once.
      this.beginFound();
    });
    this.attempts.set(job.id, { job, ending, end });
  }
}

const FIRST_PAUSE_MS = 5_000;
export const MAX_PAUSE_MS = 3_600_000;

/**
 * Returns the milliseconds until the next attempt: 5 seconds, doubled with each earlier failure, up
 * to an hour.
 */
export function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 20), MAX_PAUSE_MS);
}

/** Extends a pause by up to a quarter, so that not all jobs are due at once. */
export function spread(ms: number): number {
  return ms * (1 + Math.random() / 4);
}
