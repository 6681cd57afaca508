import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { dateTimeOf } from '../../../platform/values/time.js';
import { LeaseLostError, whileExtending } from '../../../platform/jobs/lease.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { UpstreamClientService } from '../client/upstream-client.service.js';
import { UpstreamError } from '../client/upstream-answer.js';
import { UpstreamsRepository } from '../upstreams/upstreams.repository.js';
import { UpstreamsService } from '../upstreams/upstreams.service.js';
import { UpstreamTurnsService } from './upstream-turns.service.js';
import {
  UnusableUpstreamError,
  type RunKind,
  type ShownUpstream,
  type Upstream,
} from '../upstreams/upstream.model.js';
import { MirrorRunService } from './mirror-run.service.js';
import { MirrorTurn, type CallSlot } from './mirror-turn.js';

/** Maximum number of upstreams whose last logged problems are remembered. */
const MAX_REPORTED = 1_000;
/** The lease is extended at this interval, and ends a minute after its last extension. */
const EXTEND_MS = 10_000;
/** An upstream that rejects the key is tried again after this time. */
const KEY_RETRY = { retrySeconds: 900 };

/** A caller that waits looks at the progress of another process at this interval. */
const LOOK_MS = 500;
/** For a caller that waits, progress is reported at this interval. */
const COUNT_MS = 1_000;

const NO_SLOT: CallSlot = { during: (call) => call() };

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Milliseconds after which the reading ends, so that other upstreams can be read. */
  readonly maxMs: number;
  /** The slot of this reading; without it, its calls wait for no other upstream. */
  readonly slot?: CallSlot;
}

/**
 * The reason why a reading ended. `other`: another process has the lease. `more`: something is left
 * to be read.
 */
type ReadEnd = 'done' | 'more' | 'failed' | 'other';

/** Reads from an upstream until nothing is due, the time is over, or it fails. */
@Injectable()
export class MirrorReaderService {
  private readonly logger = new Logger('Mirror');
  /** The last logged problems of each upstream. */
  private readonly reported = new LRUCache<number, string>({ max: MAX_REPORTED });

  constructor(
    private readonly turns: UpstreamTurnsService,
    private readonly client: UpstreamClientService,
    private readonly runs: MirrorRunService,
    private readonly upstreams: UpstreamsService,
    private readonly repository: UpstreamsRepository,
  ) {}

  async read(id: number, { signal, maxMs, slot = NO_SLOT }: ReadOptions): Promise<ReadEnd> {
    const taken = await this.turns.take(id);
    if (taken === null) return 'other';
    const turn = new MirrorTurn(taken, { turns: this.turns, client: this.client, slot }, signal);
    const ends = performance.now() + maxMs;
    const work = async () => {
      let hasMore = true;
      while (hasMore && !turn.isOver && performance.now() < ends) {
        hasMore = await this.runs.step(turn);
      }
      return hasMore;
    };
    try {
      const hasMore = await whileExtending(EXTEND_MS, () => turn.renew(), work);
      await this.end(turn, hasMore);
      if (hasMore) return 'more';
      await this.report(turn.upstream);
      return 'done';
    } catch (error) {
      if (!(error instanceof LeaseLostError)) return await this.fail(turn, error);
      // This process may still hold the lease of an upstream that was paused. Ending the lease lets
      // it be resumed at once.
      await this.end(turn, true);
      return 'other';
    } finally {
      turn.end();
    }
  }

  /**
   * Reads everything that is due in this process, or waits for the process that reads already.
   * @param onProgress called after each part, at least once
   * @returns the upstream when nothing is left to read, or when it cannot be read now; then it has
   *   a `problem`
   * @throws UnknownUpstreamError if there is no such upstream
   * @throws UnusableUpstreamError if it is paused
   */
  async run(
    id: number,
    kind: RunKind,
    onProgress: (upstream: ShownUpstream) => void,
    signal: AbortSignal,
  ): Promise<ShownUpstream> {
    const { state } = await this.upstreams.get(id);
    if (state === 'paused') throw new UnusableUpstreamError(`Upstream ${id} is paused: resume it.`);
    onProgress(await this.upstreams.run(id, kind, BY_OPERATOR));
    for (;;) {
      const end = await this.read(id, { signal, maxMs: COUNT_MS });
      const upstream = await this.upstreams.get(id);
      onProgress(upstream);
      if (signal.aborted || isDone(upstream) || end === 'failed') return upstream;
      if (end === 'other') await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private end(turn: MirrorTurn, hasMore: boolean): Promise<void> {
    return this.turns.end(turn.upstream, hasMore, turn.unstored);
  }

  /** Logs the number of problems of each kind if it has changed. */
  private async report({ id: upstream, vendor_id: vendor }: Upstream): Promise<void> {
    const kinds = await this.repository.problemKinds(upstream);
    const problems = Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));
    const text = JSON.stringify(problems);
    if (kinds.length > 0 && this.reported.get(upstream) !== text) {
      this.logger.warn({ message: 'An upstream has problems', upstream, vendor, problems });
    }
    this.reported.set(upstream, text);
  }

  /**
   * Ends a turn that failed.
   * @throws the error if the upstream did not cause it
   */
  private async fail(turn: MirrorTurn, error: unknown): Promise<ReadEnd> {
    if (turn.isOver) {
      await this.end(turn, true);
      return 'more';
    }
    const fault = faultOf(error);
    if (fault === null) {
      const problem = 'The service could not write what it read.';
      const unwritten = { problem, retrySeconds: null };
      await this.turns.fail(turn.upstream, unwritten, turn.unstored);
      throw error;
    }
    const { id: upstream, vendor_id: vendor, failures, problem } = turn.upstream;
    if (failures === 0 || problem !== fault.problem) {
      const { problem: reason } = fault;
      this.logger.warn({ message: 'An upstream cannot be read', upstream, vendor, reason });
    }
    await this.turns.fail(turn.upstream, fault, turn.unstored);
    return 'failed';
  }
}

/** Returns the fault of the upstream or of its key, or null for any other error. */
function faultOf(error: unknown) {
  if (error instanceof UnusableUpstreamError) return { problem: error.message, ...KEY_RETRY };
  if (!(error instanceof UpstreamError)) return null;
  const { message: problem, fault, retrySeconds } = error;
  return fault === 'key' ? { problem, ...KEY_RETRY } : { problem, retrySeconds };
}

/** Returns true if nothing is left to be read now, or nothing can be read. */
function isDone({ state, wanted, run, failures, waiting, next_try }: ShownUpstream): boolean {
  if (state === 'paused' || failures > 0) return true;
  const isWaiting = waiting > 0 && next_try <= dateTimeOf(new Date());
  return wanted === null && run === null && !isWaiting;
}
