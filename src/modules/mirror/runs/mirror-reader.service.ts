import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { UpstreamClientService } from '../../upstreams/client/upstream-client.service.js';
import { UpstreamError } from '../../upstreams/client/upstream-error.model.js';
import { TurnLostError } from '../../upstreams/turns/upstream-turn.model.js';
import { UpstreamTurnsService } from '../../upstreams/turns/upstream-turns.service.js';
import { UnusableUpstreamError, type Upstream } from '../../upstreams/upstream.model.js';
import { MirrorRunService } from './mirror-run.service.js';
import { MirrorTurn, type CallSlot } from './mirror-turn.js';

/** Upstreams whose problems are compared with those that were logged last. */
const MAX_REPORTED = 1_000;
/** A key that is not accepted is not tried again soon. */
const KEY_RETRY_SECONDS = 900;

const NO_SLOT: CallSlot = { during: (call) => call() };

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** After so long others have their turn. */
  readonly maxMs: number;
  /** The place of this reading among others; without it, its calls wait for nobody. */
  readonly slot?: CallSlot;
  /** Called after each step. */
  readonly onStep?: (upstream: Upstream) => void;
}

/** `other`: another process reads. `more`: something is left. */
export type ReadEnd = 'done' | 'more' | 'failed' | 'other';

/** Reads from an upstream as long as there is something to read. */
@Injectable()
export class MirrorReaderService {
  private readonly logger = new Logger('Mirror');
  /** The problems of each upstream that were logged last. */
  private readonly reported = new LRUCache<number, string>({ max: MAX_REPORTED });

  constructor(
    private readonly turns: UpstreamTurnsService,
    private readonly client: UpstreamClientService,
    private readonly runs: MirrorRunService,
  ) {}

  async read(id: number, { signal, maxMs, onStep, slot = NO_SLOT }: ReadOptions): Promise<ReadEnd> {
    const taken = await this.turns.take(id);
    if (taken === null) return 'other';
    const turn = new MirrorTurn(taken, { turns: this.turns, client: this.client, slot }, signal);
    const ends = performance.now() + maxMs;
    try {
      let hasMore = true;
      while (hasMore && !turn.isOver && performance.now() < ends) {
        hasMore = await this.runs.step(turn);
        onStep?.(turn.upstream);
      }
      await this.turns.end(turn.turn, hasMore, turn.unstored);
      if (hasMore) return 'more';
      await this.report(turn.upstream);
      return 'done';
    } catch (error) {
      if (error instanceof TurnLostError) {
        // It may be its own claim still, of an upstream that was paused: whoever resumes it need not wait.
        await this.turns.end(turn.turn, true, turn.unstored);
        return 'other';
      }
      return await this.fail(turn, error);
    } finally {
      turn.end();
    }
  }

  /** Logs how many problems of each kind there are, if that has changed. */
  private async report({ id: upstream, vendor_id: vendor }: Upstream): Promise<void> {
    const kinds = await this.turns.problemsOf({ id: upstream });
    const problems = Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
    const text = JSON.stringify(problems);
    if (kinds.length > 0 && this.reported.get(upstream) !== text) {
      this.logger.warn({ message: 'An upstream has problems', upstream, vendor, problems });
    }
    this.reported.set(upstream, text);
  }

  /** @throws what is no fault of the upstream */
  private async fail(turn: MirrorTurn, error: unknown): Promise<ReadEnd> {
    if (turn.isOver) {
      await this.turns.end(turn.turn, true, turn.unstored);
      return 'more';
    }
    const fault = faultOf(error);
    if (fault === null) {
      const unwritten = {
        problem: 'The service could not write what it read.',
        retrySeconds: null,
      };
      await this.turns.fail(turn.turn, unwritten, turn.unstored);
      throw error;
    }
    const { id: upstream, vendor_id: vendor, failures, problem } = turn.upstream;
    if (failures === 0 || problem !== fault.problem) {
      const { problem: reason } = fault;
      this.logger.warn({ message: 'An upstream cannot be read', upstream, vendor, reason });
    }
    await this.turns.fail(turn.turn, fault, turn.unstored);
    return 'failed';
  }
}

/** Null for what is no fault of the upstream, or of its key. */
function faultOf(error: unknown) {
  if (error instanceof UnusableUpstreamError) return { problem: error.message, ...keyRetry() };
  if (!(error instanceof UpstreamError)) return null;
  const { message: problem, fault, retrySeconds } = error;
  return fault === 'key' ? { problem, ...keyRetry() } : { problem, retrySeconds };
}

function keyRetry() {
  return { retrySeconds: KEY_RETRY_SECONDS };
}
