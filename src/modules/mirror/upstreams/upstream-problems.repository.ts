import { Injectable } from '@nestjs/common';
import { LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { runByKeys, selectByKeys } from '../../../platform/database/bulk.js';
import type { Session } from '../../../platform/database/database.js';
import { insertEntities } from '../../../platform/database/entities/entity-rows.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { UpstreamProblemEntity, type StoredProblem } from './upstream.entity.js';
import {
  nameOfProblem,
  storableProblems,
  type ProblemChanges,
  type ProblemKind,
  type UpstreamProblem,
} from './upstream.model.js';

const SUBJECT = ['upstream_id', 'subject'] as const;

/** Runs all SQL on the problems of upstreams. */
@Injectable()
export class UpstreamProblemsRepository {
  constructor(
    @InjectRepository(UpstreamProblemEntity) private readonly problems: Repository<StoredProblem>,
  ) {}

  /** Returns the problems of an upstream by kind, the most frequent first. */
  kinds(upstream_id: number, problems = this.problems): Promise<ProblemKind[]> {
    return problems
      .createQueryBuilder('p')
      .select('p.kind', 'kind')
      .addSelect('COUNT(*)', 'count')
      .addSelect('MIN(p.text)', 'example')
      .where({ upstream_id })
      .groupBy('p.kind')
      .orderBy('count', 'DESC')
      .addOrderBy('p.kind')
      .getRawMany<ProblemKind>();
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
    const problems = storableProblems(found, await this.kinds(upstream_id, this.of(session)));
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
  async settle(session: Session, upstream_id: number, before: string, since: string | null) {
    const day = MoreThanOrEqual(since ?? '1000-01-01');
    await this.of(session).delete({ upstream_id, seen: LessThan(before), day });
  }

  /**
   * Removes all problems that were last found before a time.
   * @param before in UTC
   */
  async forgetOlder(session: Session, upstream_id: number, before: string): Promise<void> {
    await this.of(session).delete({ upstream_id, seen: LessThan(before) });
  }

  /** Removes the texts of the problems of a vendor's upstream. */
  async removeTexts(session: Session, vendor_id: number): Promise<void> {
    const isOfVendor = 'upstream_id IN (SELECT id FROM upstreams WHERE vendor_id = :vendor_id)';
    const problems = this.of(session).createQueryBuilder();
    await problems.update({ text: null }).where(isOfVendor, { vendor_id }).execute();
  }

  async remove(session: Session, upstream_id: number): Promise<void> {
    await this.of(session).delete({ upstream_id });
  }

  private of({ manager }: Session): Repository<StoredProblem> {
    return manager.withRepository(this.problems);
  }
}
