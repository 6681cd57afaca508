import { Injectable } from '@nestjs/common';
import { runByKeys, selectByKeys } from '../../../database/bulk.js';
import { Database, type Reader, type Session } from '../../../database/database.js';
import { insertEntities } from '../../../database/entities/entity-rows.js';
import { UpstreamProblemEntity } from './upstream.entity.js';
import {
  nameOfProblem,
  storableProblems,
  type ProblemChanges,
  type ProblemKind,
  type UpstreamProblem,
} from './upstream-problem.model.js';

const SUBJECT = ['upstream_id', 'subject'] as const;

/** Runs all SQL on the problems of upstreams. */
@Injectable()
export class UpstreamProblemsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the problems of an upstream by kind, the most frequent first. */
  kinds(upstream_id: number): Promise<ProblemKind[]> {
    return kindsOf(this.database, upstream_id);
  }

  /**
   * Replaces the problems of subjects that were read again, or have a problem now.
   * @param seen now, in UTC
   * @returns the problems that were not stored before
   */
  async change(
    session: Session,
    upstream_id: number,
    { checked, found }: ProblemChanges,
    seen: string,
  ): Promise<UpstreamProblem[]> {
    const subjects = new Set([...checked, ...found.map(({ subject }) => subject)]);
    const keys = Array.from(subjects, (subject) => [upstream_id, subject]);
    const stored = await selectByKeys<Pick<UpstreamProblem, 'subject' | 'kind'>>(
      session,
      'SELECT subject, kind FROM upstream_problems',
      SUBJECT,
      keys,
    );
    const gone = stored.map(({ subject }) => [upstream_id, subject]);
    await runByKeys(session, 'DELETE FROM upstream_problems', SUBJECT, gone);
    if (found.length === 0) return [];
    const problems = storableProblems(found, await kindsOf(session, upstream_id));
    const rows = problems.map(({ subject, kind, text, day = null }) => {
      return { upstream_id, subject, kind, text, day, seen };
    });
    await insertEntities(session, UpstreamProblemEntity, rows);
    const before = new Set(stored.map(nameOfProblem));
    return problems.filter((problem) => !before.has(nameOfProblem(problem)));
  }

  /**
   * Removes problems of sales that a run should have found again.
   * @param before when the run began, in UTC
   * @param since the first day that the run read; null if it read all days
   */
  async settle(
    session: Session,
    upstream_id: number,
    before: string,
    since: string | null,
  ): Promise<void> {
    await session.run(
      'DELETE FROM upstream_problems WHERE upstream_id = ? AND seen < ? AND day >= ?',
      [upstream_id, before, since ?? '1000-01-01'],
    );
  }

  /**
   * Removes all problems that were last found before a time.
   * @param before in UTC
   */
  async forgetOlder(session: Session, upstream_id: number, before: string): Promise<void> {
    await session.run('DELETE FROM upstream_problems WHERE upstream_id = ? AND seen < ?', [
      upstream_id,
      before,
    ]);
  }

  /** Removes the texts of the problems of a vendor's upstream. */
  async removeTexts(session: Session, vendor_id: number): Promise<void> {
    await session.run(
      `UPDATE upstream_problems SET text = NULL
        WHERE upstream_id IN (SELECT id FROM upstreams WHERE vendor_id = ?)`,
      [vendor_id],
    );
  }

  async remove(session: Session, upstream_id: number): Promise<void> {
    await session.run('DELETE FROM upstream_problems WHERE upstream_id = ?', [upstream_id]);
  }
}

function kindsOf(reader: Reader, upstream_id: number): Promise<ProblemKind[]> {
  return reader.select<ProblemKind>(
    `SELECT kind, COUNT(*) AS count, MIN(text) AS example FROM upstream_problems
      WHERE upstream_id = ? GROUP BY kind ORDER BY count DESC, kind`,
    [upstream_id],
  );
}
