import { Injectable } from '@nestjs/common';
import { dateTimeIn, dateTimeOf, formatDateTime } from '../../../platform/values/time.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { LeaseLostError, Leases } from '../../../platform/jobs/lease.js';
import { pauseAfter, spread } from '../../../platform/jobs/job-queue.js';
import {
  subjectOfRead,
  type ProblemChanges,
  type TurnChanges,
  type Upstream,
  type UpstreamProblem,
  type UpstreamRead,
  type UpstreamTurn,
} from '../upstreams/upstream.model.js';
import { UpstreamsRepository } from '../upstreams/upstreams.repository.js';

/**
 * A lease lasts this long and is renewed every few seconds, so the owner of an expired lease has
 * stopped.
 */
const LEASE_MS = 60_000;
const PROBLEM_LENGTH = 255;

/** Decides which process reads from an upstream: one at a time, across all instances. */
@Injectable()
export class UpstreamTurnsService {
  private readonly leases: Leases<number, Upstream>;

  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
  ) {
    this.leases = new Leases(database, repository, LEASE_MS);
  }

  /** @returns null if another process has the lease, or the upstream is paused or removed */
  take(id: number): Promise<UpstreamTurn | null> {
    return this.leases.take(id, ({ state }) => state === 'active');
  }

  /**
   * Writes records and the progress of the reading. Only the process with the lease can write.
   * @param work may be repeated
   * @returns the upstream after the write, and the problems that were not stored before
   * @throws LeaseLostError if the lease was lost, or the upstream was paused or removed; then
   *   nothing is written
   */
  write(
    { id, claim }: UpstreamTurn,
    work: (session: Session, upstream: Upstream) => Promise<TurnChanges>,
  ) {
    return this.database.writeBatch(async (session) => {
      let newProblems: readonly UpstreamProblem[] = [];
      const turn = await this.leases.extend(session, id, claim, async (found) => {
        if (found.state !== 'active') throw new LeaseLostError();
        const changes = await work(session, found);
        newProblems = await this.change(session, id, changes);
        return changes.upstream ?? {};
      });
      return { turn, newProblems };
    });
  }

  /** @returns the problems that were not stored before */
  private async change(
    session: Session,
    id: number,
    { added = [], done = [], postponed = [], problems = {}, ended }: TurnChanges,
  ): Promise<UpstreamProblem[]> {
    await this.repository.dropReads(session, done);
    await this.repository.addReads(session, id, added, dateTimeIn(0));
    for (const read of postponed) await this.postpone(session, read);
    const checked = [...(problems.checked ?? []), ...done.map(subjectOfRead)];
    const found = problems.found ?? [];
    const newProblems = await this.changeProblems(session, id, { checked, found });
    const { run_began = null, run, first_day = null } = ended ?? {};
    if (run_began !== null) {
      await this.repository.settleProblems(
        session,
        id,
        run_began,
        run === 'full' ? null : first_day,
      );
    }
    return newProblems;
  }

  /** Postpones a read that failed, by 5 seconds to an hour. */
  private async postpone(session: Session, read: UpstreamRead): Promise<void> {
    const failures = read.failures + 1;
    const next_try = dateTimeIn(spread(pauseAfter(read.failures)));
    await this.repository.postpone(session, read, { failures, next_try });
  }

  private changeProblems(session: Session, id: number, { checked, found }: ProblemChanges) {
    if (checked.length + found.length === 0) return Promise.resolve([]);
    const fitting = {
      checked: checked.map(shortened),
      found: found.map((problem) => ({
        ...problem,
        subject: shortened(problem.subject),
        text: shortened(problem.text),
      })),
    };
    return this.repository.changeProblems(session, id, fitting, dateTimeIn(0));
  }

  /**
   * Ends a turn and its lease. The upstream is due again at the next run, the next part of the
   * subscriptions, or the next attempt of a read that failed, whichever comes first.
   * @param hasMore true if something is left to be read at once
   * @param found problems that are not stored yet
   */
  async end({ id, claim }: UpstreamTurn, hasMore: boolean, found: readonly UpstreamProblem[]) {
    const postponed = await this.repository.nextTry(id);
    await this.leases.release(id, claim, async (session, upstream) => {
      const now = dateTimeIn(0);
      const isWanted = hasMore || upstream.wanted !== null || upstream.run !== null;
      const times = [nextRunOf(upstream), upstream.payments_next, postponed];
      const next = times.filter((time) => time !== null).sort();
      const next_try = isWanted ? now : (next[0] ?? now);
      await this.changeProblems(session, id, { checked: [], found });
      // A problem that was found before the last full run, and not since, no longer exists.
      const isAllRead = !isWanted && postponed === null;
      if (isAllRead && upstream.last_full !== null)
        await this.repository.forgetOlderProblems(session, id, upstream.last_full);
      return { failures: 0, problem: null, next_try };
    });
  }

  /**
   * Ends a turn in which the upstream could not be read, and its lease. The upstream is tried again
   * after 5 seconds to an hour.
   * @param found problems that are not stored yet
   */
  fail(
    { id, claim }: UpstreamTurn,
    { problem, retrySeconds }: { readonly problem: string; readonly retrySeconds: number | null },
    found: readonly UpstreamProblem[],
  ): Promise<void> {
    return this.leases.release(id, claim, async (session, { failures }) => {
      const pause = Math.max(spread(pauseAfter(failures)), (retrySeconds ?? 0) * 1_000);
      await this.changeProblems(session, id, { checked: [], found });
      const next_try = dateTimeIn(pause);
      return { failures: failures + 1, problem: shortened(problem), next_try };
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
