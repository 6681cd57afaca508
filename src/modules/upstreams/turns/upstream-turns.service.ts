import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeIn, dateTimeOf, formatDateTime } from '../../../common/time.js';
import { Database, type Session } from '../../../database/database.js';
import { pauseAfter, spread } from '../../../platform/jobs/pauses.js';
import type { DueReads, Upstream, UpstreamRead } from '../upstream.model.js';
import type {
  ProblemChanges,
  ProblemKind,
  UpstreamProblem,
} from '../problems/upstream-problem.model.js';
import { UpstreamProblemsRepository } from '../problems/upstream-problems.repository.js';
import { UpstreamsRepository } from '../upstreams.repository.js';
import {
  subjectOfRead,
  TurnLostError,
  type TurnChanges,
  type UpstreamTurn,
  type WrittenTurn,
} from './upstream-turn.model.js';

/**
 * A lease lasts this long and is renewed every few seconds, so the owner of an expired lease has
 * stopped.
 */
const CLAIM_MS = 60_000;
const PROBLEM_LENGTH = 255;

/** Decides which process reads from an upstream: one at a time, across all instances. */
@Injectable()
export class UpstreamTurnsService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly problems: UpstreamProblemsRepository,
  ) {}

  /** Returns the upstreams that are due. */
  due(limit: number): Promise<Pick<Upstream, 'id'>[]> {
    return this.repository.due(dateTimeIn(0), limit);
  }

  /** @returns null if another process has the lease, or the upstream is paused or removed */
  take(id: number): Promise<UpstreamTurn | null> {
    const claim = randomUUID();
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, id);
      if (found === null || !isFree(found, claim)) return null;
      const claimed = { claim, claim_ends: claimEnd() };
      await this.repository.change(session, id, claimed);
      return { claim, upstream: { ...found, ...claimed } };
    });
  }

  /**
   * Writes records and the progress of the reading. Only the process with the lease can write.
   * @param work may be repeated
   * @throws TurnLostError if the lease was lost; then nothing is written
   */
  write(
    { claim, upstream: { id } }: UpstreamTurn,
    work: (session: Session, upstream: Upstream) => Promise<TurnChanges>,
  ): Promise<WrittenTurn> {
    return this.database.writeBatch(async (session) => {
      const found = await this.repository.locked(session, id);
      if (found?.claim !== claim || found.state !== 'active') {
        throw new TurnLostError('another process reads, or the upstream was paused');
      }
      const { upstream, added = [], done = [], ...written } = await work(session, found);
      const changes = { ...upstream, claim_ends: claimEnd() };
      await this.repository.dropReads(session, done);
      await this.repository.addReads(session, id, added, dateTimeIn(0));
      for (const read of written.postponed ?? []) await this.postpone(session, read);
      const { checked = [], found: problems = [] } = written.problems ?? {};
      const newProblems = await this.changeProblems(session, id, {
        checked: [...checked, ...done.map(subjectOfRead)],
        found: problems,
      });
      const { run_began = null, run, first_day = null } = written.ended ?? {};
      if (run_began !== null) {
        await this.problems.settle(session, id, run_began, run === 'full' ? null : first_day);
      }
      await this.repository.change(session, id, changes);
      return { turn: { claim, upstream: { ...found, ...changes } }, newProblems };
    });
  }

  /** Postpones a read that failed, by 5 seconds to an hour. */
  private async postpone(session: Session, read: UpstreamRead): Promise<void> {
    const failures = read.failures + 1;
    const next_try = dateTimeIn(spread(pauseAfter(read.failures)));
    await this.repository.postpone(session, read, { failures, next_try });
  }

  private changeProblems(
    session: Session,
    id: number,
    { checked, found }: ProblemChanges,
  ): Promise<UpstreamProblem[]> {
    if (checked.length + found.length === 0) return Promise.resolve([]);
    const fitting = {
      checked: checked.map(shortened),
      found: found.map((problem) => ({
        ...problem,
        subject: shortened(problem.subject),
        text: shortened(problem.text),
      })),
    };
    return this.problems.change(session, id, fitting, dateTimeIn(0));
  }

  /** Returns the due reads of these kinds, newest sale first. */
  reads({ id }: Upstream, due: DueReads, limit: number): Promise<UpstreamRead[]> {
    return this.repository.next(id, due, limit);
  }

  /** Returns the problems of an upstream by kind. */
  problemsOf({ id }: Pick<Upstream, 'id'>): Promise<ProblemKind[]> {
    return this.problems.kinds(id);
  }

  /**
   * Ends a turn and its lease. The upstream is due again at the next run, the next part of the
   * subscriptions, or the next attempt of a read that failed, whichever comes first.
   * @param hasMore true if something is left to be read at once
   * @param found problems that are not stored yet
   */
  async end(
    { claim, upstream: { id } }: UpstreamTurn,
    hasMore: boolean,
    found: readonly UpstreamProblem[],
  ): Promise<void> {
    const postponed = await this.repository.nextTry(id);
    await this.database.writeIdempotent(async (session) => {
      const upstream = await this.repository.locked(session, id);
      if (upstream?.claim !== claim) return;
      const now = dateTimeIn(0);
      const isWanted = hasMore || upstream.wanted !== null || upstream.run !== null;
      const times = [nextRunOf(upstream), upstream.payments_next, postponed];
      const next = times.filter((time) => time !== null).sort();
      const next_try = isWanted ? now : (next[0] ?? now);
      await this.changeProblems(session, id, { checked: [], found });
      // A problem that was found before the last full run, and not since, no longer exists.
      const isAllRead = !isWanted && postponed === null;
      if (isAllRead && upstream.last_full !== null)
        await this.problems.forgetOlder(session, id, upstream.last_full);
      const changes = { ...free(), failures: 0, problem: null, next_try };
      await this.repository.change(session, id, changes);
    });
  }

  /**
   * Ends a turn in which the upstream could not be read, and its lease. The upstream is tried again
   * after 5 seconds to an hour.
   * @param found problems that are not stored yet
   */
  fail(
    { claim, upstream: { id } }: UpstreamTurn,
    { problem, retrySeconds }: { readonly problem: string; readonly retrySeconds: number | null },
    found: readonly UpstreamProblem[],
  ): Promise<void> {
    return this.database.writeIdempotent(async (session) => {
      const upstream = await this.repository.locked(session, id);
      if (upstream?.claim !== claim) return;
      const pause = Math.max(spread(pauseAfter(upstream.failures)), (retrySeconds ?? 0) * 1_000);
      await this.changeProblems(session, id, { checked: [], found });
      await this.repository.change(session, id, {
        ...free(),
        failures: upstream.failures + 1,
        problem: shortened(problem),
        next_try: dateTimeIn(pause),
      });
    });
  }
}

/** Returns the time of the next run for new sales. */
function nextRunOf({ last_recent, every_seconds, created }: Upstream): string {
  const last = Date.parse(formatDateTime(last_recent ?? created));
  return dateTimeOf(new Date(last + every_seconds * 1_000));
}

function shortened(problem: string): string {
  return problem.length > PROBLEM_LENGTH
    ? `${problem.slice(0, PROBLEM_LENGTH - 1).toWellFormed()}…`
    : problem;
}

function free(): Partial<Upstream> {
  return { claim: null, claim_ends: null };
}

function claimEnd(): string {
  return dateTimeIn(CLAIM_MS);
}

function isFree({ state, claim, claim_ends }: Upstream, own: string): boolean {
  if (claim === own) return true;
  return state === 'active' && (claim_ends === null || claim_ends <= dateTimeIn(0));
}
