import { Logger } from '@nestjs/common';
import type { Session } from '../../../database/database.js';
import type { UpstreamAnswer } from '../../upstreams/client/upstream-answer.model.js';
import type { UpstreamClientService } from '../../upstreams/client/upstream-client.service.js';
import { UpstreamError } from '../../upstreams/client/upstream-error.model.js';
import {
  TurnLostError,
  type TurnChanges,
  type UpstreamTurn,
} from '../../upstreams/turns/upstream-turn.model.js';
import {
  shortened,
  type UpstreamTurnsService,
} from '../../upstreams/turns/upstream-turns.service.js';
import type { Upstream, UpstreamRead } from '../../upstreams/upstream.model.js';

/** A claim lives for a minute. */
const RENEW_MS = 10_000;
/** Of a turn: a wrong upstream must not fill the log. */
const MAX_LOGGED = 20;

/** What could not be read. `text` may have values of the ledger: it is not for the log. */
export interface MirrorProblem {
  readonly text: string;
  /** What it is about, such as `transaction 4711`. */
  readonly subject: string;
}

/** Reading from one upstream, as long as this process has the right to. */
export class MirrorTurn {
  private readonly logger = new Logger('Mirror');
  private readonly ending = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private current: UpstreamTurn;
  private readonly stop = () => {
    this.ending.abort();
  };
  private problem: string | null = null;
  private problems = 0;

  constructor(
    turn: UpstreamTurn,
    private readonly services: {
      readonly turns: UpstreamTurnsService;
      readonly client: UpstreamClientService;
    },
    private readonly stopped: AbortSignal,
  ) {
    this.current = turn;
    stopped.addEventListener('abort', this.stop, { once: true });
    if (stopped.aborted) this.stop();
    this.timer = setInterval(() => void this.renew(), RENEW_MS).unref();
  }

  get upstream(): Upstream {
    return this.current.upstream;
  }

  get turn(): UpstreamTurn {
    return this.current;
  }

  /** True when the service stops, or another process has the turn. */
  get isOver(): boolean {
    return this.ending.signal.aborted;
  }

  /** True if something could not be read. */
  get hasProblem(): boolean {
    return this.problem !== null;
  }

  /** @returns null if the upstream has no such thing. @throws UpstreamError */
  get(path: string): Promise<UpstreamAnswer | null> {
    return this.services.client.get(this.upstream, path, this.ending.signal);
  }

  /**
   * The only result of a path.
   * @returns null if the upstream has no such thing
   * @throws UpstreamError
   */
  async getOne(path: string): Promise<unknown> {
    const answer = await this.get(path);
    if (answer === null) return null;
    const [first, ...others] = answer.results;
    if (first !== undefined && first !== null && others.length === 0) return first;
    throw new UpstreamError(
      'odd',
      'the upstream answered without the one result that was asked for',
    );
  }

  /** @throws TurnLostError */
  async write(work: (session: Session, upstream: Upstream) => Promise<TurnChanges>): Promise<void> {
    this.current = await this.services.turns.write(this.current, async (session, upstream) => {
      const written = await work(session, upstream);
      const problem = this.problem === null ? {} : { problem: this.problem };
      return { ...written, upstream: { ...problem, ...written.upstream } };
    });
  }

  /** Puts off a read that failed. @throws TurnLostError */
  async postpone(read: UpstreamRead): Promise<void> {
    this.current = await this.services.turns.postpone(this.current, read);
  }

  /** Tells of something that could not be read; the rest is read all the same. */
  note({ text, subject }: MirrorProblem): void {
    this.problem = shortened(text);
    this.problems += 1;
    if (this.problems > MAX_LOGGED) return;
    const { id: upstream, vendor_id: vendor } = this.upstream;
    this.logger.warn({ message: 'Not read from an upstream', upstream, vendor, subject });
  }

  /** Ends the renewal of the claim. */
  end(): void {
    clearInterval(this.timer);
    this.stopped.removeEventListener('abort', this.stop);
    this.ending.abort();
  }

  private async renew(): Promise<void> {
    try {
      await this.write(() => Promise.resolve({}));
    } catch (error) {
      // Any other failure shows with the next write.
      if (error instanceof TurnLostError) this.end();
    }
  }
}
