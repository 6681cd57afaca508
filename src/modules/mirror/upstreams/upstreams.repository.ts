import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, LessThanOrEqual, MoreThanOrEqual, Or, Repository } from 'typeorm';
import { dateTimeIn } from '../../../platform/values/time.js';
import { runByKeys, selectByKeys } from '../../../platform/database/bulk.js';
import type { EntityReader, Session } from '../../../platform/database/database.js';
import { insertEntities } from '../../../platform/database/entities/entity-rows.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import {
  UpstreamEntity,
  UpstreamProblemEntity,
  UpstreamReadEntity,
  type StoredProblem,
} from './upstream.entity.js';
import {
  nameOfProblem,
  storableProblems,
  type AddedRead,
  type DueReads,
  type ProblemChanges,
  type ProblemKind,
  type ReadKey,
  type ReadKind,
  type Upstream,
  type UpstreamProblem,
  type UpstreamRead,
} from './upstream.model.js';

const READ_KEY = ['upstream_id', 'kind', 'record_key'] as const;
const DATED_KEY = [...READ_KEY, 'sale_date'] as const;
const SUBJECT = ['upstream_id', 'subject'] as const;

/** Runs all SQL on upstreams, their waiting reads and their problems. */
@Injectable()
export class UpstreamsRepository {
  constructor(
    @InjectRepository(UpstreamEntity)
    private readonly upstreams: Repository<Upstream>,
    @InjectRepository(UpstreamReadEntity)
    private readonly reads: Repository<UpstreamRead>,
    @InjectRepository(UpstreamProblemEntity)
    private readonly problems: Repository<StoredProblem>,
  ) {}

  /** Returns the upstreams of all vendors. */
  all(): Promise<Upstream[]> {
    return this.upstreams.find({ order: { id: 'ASC' } });
  }

  find(id: number): Promise<Upstream | null> {
    return this.upstreams.findOne({ where: { id } });
  }

  ofVendor(vendor_id: number): Promise<Upstream | null> {
    return this.upstreams.findOne({ where: { vendor_id } });
  }

  /**
   * Returns true if the first full run of an upstream has not ended yet.
   * @param vendor_id null for any vendor
   */
  hasFirstRun({ manager }: EntityReader, vendor_id: number | null): Promise<boolean> {
    const isOfVendor = vendor_id === null ? {} : { vendor_id };
    return manager.withRepository(this.upstreams).existsBy({ last_full: IsNull(), ...isOfVendor });
  }

  /** @returns the id of the new upstream */
  async add(session: Session, upstream: Partial<Upstream>): Promise<number> {
    const added = await session.manager.withRepository(this.upstreams).insert({ ...upstream });
    return Number(added.identifiers[0]?.id);
  }

  /** Reads an upstream and locks it until the session ends. */
  async locked(session: Session, id: number): Promise<Upstream | null> {
    const upstreams = session.manager.withRepository(this.upstreams);
    const [found] = await upstreams.find({ where: { id }, ...session.dialect.locked });
    return found ?? null;
  }

  /**
   * Removes the texts of a vendor's upstream that may quote a record: the reason why it could not
   * be read, and those of its problems.
   */
  async forgetTexts(session: Session, vendor_id: number): Promise<void> {
    await session.manager.withRepository(this.upstreams).update({ vendor_id }, { problem: null });
    const isOfVendor = 'upstream_id IN (SELECT id FROM upstreams WHERE vendor_id = :vendor_id)';
    const problems = this.problemsIn(session).createQueryBuilder();
    await problems.update({ text: null }).where(isOfVendor, { vendor_id }).execute();
  }

  async change(session: Session, id: number, changes: Partial<Upstream>): Promise<void> {
    await session.manager.withRepository(this.upstreams).update({ id }, changes);
  }

  /** Removes an upstream with its waiting reads and its problems. */
  async remove(session: Session, id: number): Promise<void> {
    await this.problemsIn(session).delete({ upstream_id: id });
    await session.manager.withRepository(this.reads).delete({ upstream_id: id });
    await session.manager.withRepository(this.upstreams).delete({ id });
  }

  /** Returns the upstreams that are due, those that have waited longest first. */
  due(limit: number): Promise<Pick<Upstream, 'id'>[]> {
    const now = dateTimeIn(0);
    return this.upstreams
      .createQueryBuilder('e')
      .select('e.id')
      .innerJoin('users', 'u', "u.id = e.vendor_id AND u.status = 'active'")
      .where({
        state: 'active',
        next_try: LessThanOrEqual(now),
        claim_ends: Or(IsNull(), LessThanOrEqual(now)),
      })
      .orderBy('e.next_try')
      .limit(limit)
      .getMany();
  }

  /** Counts the waiting reads of single records. */
  waiting(upstream_id: number): Promise<number> {
    return this.reads.count({ where: { upstream_id } });
  }

  waitingOfKinds(session: Session, upstream_id: number, kinds: readonly ReadKind[]) {
    const where = { upstream_id, kind: In([...kinds]) };
    return session.manager.withRepository(this.reads).count({ where });
  }

  /** Returns the due reads, newest sale first. */
  next(upstream_id: number, { kinds, now }: DueReads, limit: number): Promise<UpstreamRead[]> {
    return this.reads.find({
      where: { upstream_id, kind: In([...kinds]), next_try: LessThanOrEqual(now) },
      order: { sale_date: 'DESC' },
      take: limit,
    });
  }

  /** Returns the time of the next attempt of a read, in UTC, or null if no read waits. */
  async nextTry(upstream_id: number): Promise<string | null> {
    const [row] = await this.reads.find({
      select: { next_try: true },
      where: { upstream_id },
      order: { next_try: 'ASC' },
      take: 1,
    });
    return row?.next_try ?? null;
  }

  /**
   * Adds reads. A read that waits already stays as it is unless the new one has a later date: the
   * record that is being read now may be older.
   */
  async addReads(session: Session, upstream_id: number, keys: readonly AddedRead[], now: string) {
    const wanted = new Map(keys.map((key) => [`${key.kind} ${key.record_key}`, key]));
    const found = await selectByKeys<ReadKey & Pick<UpstreamRead, 'upstream_id'>>(
      session,
      'SELECT upstream_id, kind, record_key, sale_date FROM upstream_reads',
      READ_KEY,
      [...wanted.values()].map(({ kind, record_key }) => [upstream_id, kind, record_key]),
    );
    const outdated = found.filter(({ kind, record_key, sale_date }) => {
      const { sale_date: later } = wanted.get(`${kind} ${record_key}`) ?? { sale_date };
      if (later <= sale_date) wanted.delete(`${kind} ${record_key}`);
      return later > sale_date;
    });
    await this.dropReads(session, outdated);
    const rows = Array.from(wanted.values(), ({ kind, record_key, sale_date, next_try = now }) => {
      return { upstream_id, kind, record_key, sale_date, failures: 0, next_try };
    });
    await insertEntities(session, UpstreamReadEntity, rows);
  }

  /** Adds a read that is due at once. An upstream that fails is not read earlier for it. */
  async readSoon(
    session: Session,
    { id, failures }: Upstream,
    { kind, record_key }: Pick<ReadKey, 'kind' | 'record_key'>,
  ): Promise<void> {
    const now = dateTimeIn(0);
    await this.addReads(session, id, [{ kind, record_key, sale_date: now }], now);
    if (failures === 0) await this.change(session, id, { next_try: now });
  }

  /** Removes reads, except those that were requested again meanwhile. */
  async dropReads(
    session: Session,
    reads: readonly Pick<UpstreamRead, (typeof DATED_KEY)[number]>[],
  ): Promise<void> {
    const keys = reads.map((read) => DATED_KEY.map((column) => read[column]));
    await runByKeys(session, 'DELETE FROM upstream_reads', DATED_KEY, keys);
  }

  /** Postpones a read. */
  async postpone(
    session: Session,
    { upstream_id, kind, record_key }: UpstreamRead,
    changes: Pick<UpstreamRead, 'failures' | 'next_try'>,
  ): Promise<void> {
    const reads = session.manager.withRepository(this.reads);
    await reads.update({ upstream_id, kind, record_key }, changes);
  }

  /** Returns the problems of an upstream by kind, the most frequent first. */
  problemKinds(upstream_id: number, problems = this.problems): Promise<ProblemKind[]> {
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
  async changeProblems(
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
    const problems = storableProblems(
      found,
      await this.problemKinds(upstream_id, this.problemsIn(session)),
    );
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
  async settleProblems(
    session: Session,
    upstream_id: number,
    before: string,
    since: string | null,
  ) {
    const day = MoreThanOrEqual(since ?? '1000-01-01');
    await this.problemsIn(session).delete({ upstream_id, seen: LessThan(before), day });
  }

  /**
   * Removes all problems that were last found before a time.
   * @param before in UTC
   */
  async forgetOlderProblems(session: Session, upstream_id: number, before: string): Promise<void> {
    await this.problemsIn(session).delete({ upstream_id, seen: LessThan(before) });
  }

  private problemsIn({ manager }: Session): Repository<StoredProblem> {
    return manager.withRepository(this.problems);
  }
}
