import { Logger } from '@nestjs/common';
import { dateTimeOf, dayOf } from '../../../platform/values/time.js';
import type { Session } from '../../../platform/database/database.js';
import { LeaseLostError } from '../../../platform/jobs/lease.js';
import { UpstreamError, type UpstreamAnswer } from '../client/upstream-answer.js';
import type { UpstreamClientService } from '../client/upstream-client.service.js';
import type {
  TurnChanges,
  Upstream,
  UpstreamProblem,
  UpstreamRead,
  UpstreamTurn,
} from '../upstreams/upstream.model.js';
import type { UpstreamTurnsService } from './upstream-turns.service.js';
import { pathOfPage } from '../client/list-page.js';

/** Maximum number of problems logged per turn, so that a faulty upstream cannot flood the log. */
const MAX_LOGGED = 20;

/** Runs the calls of a turn to the upstream. */
export interface CallSlot {
  readonly during: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/** Reads from one upstream and writes its records as long as this process has the lease. */
export class MirrorTurn {
  private readonly logger = new Logger('Mirror');
  private readonly ending = new AbortController();
  private readonly stop = () => {
    this.ending.abort();
  };
  /** Problems that the next write will store. */
  private noted: UpstreamProblem[] = [];
  private logged = 0;

  constructor(
    private current: UpstreamTurn,
    private readonly services: {
      readonly turns: UpstreamTurnsService;
      readonly client: UpstreamClientService;
      readonly slot: CallSlot;
    },
    private readonly stopped: AbortSignal,
  ) {
    stopped.addEventListener('abort', this.stop, { once: true });
    if (stopped.aborted) this.stop();
  }

  /** The upstream after the last write. */
  get upstream(): UpstreamTurn {
    return this.current;
  }

  /** True if the service stops, or another process has the lease. */
  get isOver(): boolean {
    return this.ending.signal.aborted;
  }

  /** Problems that no write has stored yet. */
  get unstored(): readonly UpstreamProblem[] {
    return this.noted;
  }

  /**
   * @returns null if the upstream has no such thing
   * @throws UpstreamError if the call fails
   */
  get(path: string): Promise<UpstreamAnswer | null> {
    const { client, slot } = this.services;
    return slot.during(() => client.get(this.upstream, path, this.ending.signal));
  }

  /**
   * Makes a call that every upstream answers.
   * @throws UpstreamError if the upstream does not answer it
   */
  async checkReachable(): Promise<void> {
    const today = dayOf(dateTimeOf(new Date()));
    await this.get(pathOfPage({ first_day: today, last_day: today }, { size: 1, index: 0 }));
  }

  /**
   * Reads the only result of a path.
   * @returns null if the upstream has no such thing
   * @throws UpstreamError if the call fails, or the answer does not have exactly one result
   */
  async getOne(path: string): Promise<unknown> {
    const { client, slot } = this.services;
    const { signal } = this.ending;
    const answer = await slot.during(() => client.getOne(this.upstream, path, signal));
    if (answer === null) return null;
    const [first, ...others] = answer.results;
    if (first !== undefined && first !== null && others.length === 0) return first;
    throw new UpstreamError('odd', 'the answer of the upstream lacks the requested result');
  }

  /**
   * Writes the records that were read, with the problems that were noted until now.
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async write(work: (session: Session, upstream: Upstream) => TurnChanges | Promise<TurnChanges>) {
    const noted = this.noted;
    const { turn, newProblems } = await this.services.turns.write(
      this.current,
      async (session, upstream) => {
        const { problems = {}, ...changes } = await work(session, upstream);
        return {
          ...changes,
          problems: { ...problems, found: [...noted, ...(problems.found ?? [])] },
        };
      },
    );
    this.current = turn;
    // The renewal of the lease may have written the same problems at the same time.
    const stored = new Set(noted);
    this.noted = this.noted.filter((problem) => !stored.has(problem));
    for (const problem of newProblems) this.log(problem);
  }

  /**
   * Postpones a read that failed.
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  postpone(read: UpstreamRead): Promise<void> {
    return this.write(() => ({ postponed: [read] }));
  }

  /** Notes a record that was not read, not stored, or changed. Reading continues. */
  note(problem: UpstreamProblem): void {
    this.noted = [...this.noted, problem];
  }

  /** Ends the calls. */
  end(): void {
    this.stopped.removeEventListener('abort', this.stop);
    this.ending.abort();
  }

  /** Extends the lease, and ends the calls if it is lost. The next write reports other failures. */
  async renew(): Promise<void> {
    try {
      await this.write(() => ({}));
    } catch (error) {
      if (error instanceof LeaseLostError) this.end();
    }
  }

  private log({ subject, kind }: UpstreamProblem): void {
    this.logged += 1;
    if (this.logged > MAX_LOGGED) return;
    const { id: upstream, vendor_id: vendor } = this.upstream;
    const message = 'Not read from an upstream, or changed';
    this.logger.warn({ message, upstream, vendor, subject, kind });
  }
}
