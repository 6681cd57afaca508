import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual, Repository } from 'typeorm';
import { insertRows, runByKeys, selectByKeys } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import { InjectRepository } from '../../database/entities/inject-repository.js';
import { UpstreamEntity, UpstreamReadEntity } from './upstream.entity.js';
import type {
  AddedRead,
  DueReads,
  ReadKey,
  ReadKind,
  Upstream,
  UpstreamRead,
} from './upstream.model.js';

const READ_KEY = ['upstream_id', 'kind', 'record_key'] as const;
const DATED_KEY = [...READ_KEY, 'sale_date'] as const;
const READ_COLUMNS = [...DATED_KEY, 'failures', 'next_try'] as const;

/** All SQL on upstreams and on what is to be read there. */
@Injectable()
export class UpstreamsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UpstreamEntity)
    private readonly upstreams: Repository<Upstream>,
    @InjectRepository(UpstreamReadEntity)
    private readonly reads: Repository<UpstreamRead>,
  ) {}

  /** Of all vendors. */
  all(): Promise<Upstream[]> {
    return this.upstreams.find({ order: { id: 'ASC' } });
  }

  find(id: number): Promise<Upstream | null> {
    return this.upstreams.findOne({ where: { id } });
  }

  ofVendor(vendor_id: number): Promise<Upstream | null> {
    return this.upstreams.findOne({ where: { vendor_id } });
  }

  /** Whether everything is still to be read from an upstream. @param vendor_id null for any vendor */
  async hasFirstRun(reader: Reader, vendor_id: number | null): Promise<boolean> {
    const isOfVendor = vendor_id === null ? '' : 'AND vendor_id = ?';
    const rows = await reader.select<Pick<Upstream, 'id'>>(
      `SELECT id FROM upstreams WHERE last_full IS NULL ${isOfVendor} LIMIT 1`,
      vendor_id === null ? [] : [vendor_id],
    );
    return rows.length > 0;
  }

  /** @returns the id */
  async add(session: Session, upstream: Omit<Upstream, 'id'>): Promise<number> {
    const added = await session.manager.withRepository(this.upstreams).insert({ ...upstream });
    return Number(added.identifiers[0]?.id);
  }

  /** Reads an upstream and locks it until the session ends. */
  async locked(session: Session, id: number): Promise<Upstream | null> {
    const upstreams = session.manager.withRepository(this.upstreams);
    const [found] = await upstreams.find({ where: { id }, ...session.dialect.locked });
    return found ?? null;
  }

  /** Forgets why a vendor's upstream could not be read: the reason may quote a record. */
  async forgetProblem(session: Session, vendor_id: number): Promise<void> {
    await session.manager.withRepository(this.upstreams).update({ vendor_id }, { problem: null });
  }

  async change(session: Session, id: number, changes: Partial<Upstream>): Promise<void> {
    await session.manager.withRepository(this.upstreams).update({ id }, changes);
  }

  /** Removes an upstream with what was to be read there. */
  async remove(session: Session, id: number): Promise<void> {
    await session.manager.withRepository(this.reads).delete({ upstream_id: id });
    await session.manager.withRepository(this.upstreams).delete({ id });
  }

  /**
   * Upstreams that something is to be read from, those first that have waited longest.
   * @param now in UTC
   */
  async due(now: string, limit: number): Promise<number[]> {
    const rows = await this.database.select<Pick<Upstream, 'id'>>(
      `SELECT e.id FROM upstreams e JOIN users u ON u.id = e.vendor_id AND u.status = 'active'
        WHERE e.state = 'active' AND e.next_try <= ? AND (e.claim_ends IS NULL OR e.claim_ends <= ?)
        ORDER BY e.next_try LIMIT ?`,
      [now, now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** How many reads of single records wait. */
  waiting(upstream_id: number): Promise<number> {
    return this.reads.count({ where: { upstream_id } });
  }

  waitingOfKinds(
    session: Session,
    upstream_id: number,
    kinds: readonly ReadKind[],
  ): Promise<number> {
    const where = { upstream_id, kind: In([...kinds]) };
    return session.manager.withRepository(this.reads).count({ where });
  }

  /** Reads whose time has come, newest sale first. */
  next(upstream_id: number, { kinds, now }: DueReads, limit: number): Promise<UpstreamRead[]> {
    return this.reads.find({
      where: { upstream_id, kind: In([...kinds]), next_try: LessThanOrEqual(now) },
      order: { sale_date: 'DESC' },
      take: limit,
    });
  }

  /** When the next read that failed is tried again, in UTC; null if none waits. */
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
   * Adds reads. Those that wait already stay as they are, unless they are wanted for a
   * later date: what is being read now may be older.
   */
  async addReads(
    session: Session,
    upstream_id: number,
    keys: readonly AddedRead[],
    now: string,
  ): Promise<void> {
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
    const rows = [...wanted.values()].map(({ kind, record_key, sale_date, next_try = now }) => [
      upstream_id,
      kind,
      record_key,
      sale_date,
      0,
      next_try,
    ]);
    await insertRows(session, 'upstream_reads', READ_COLUMNS, rows);
  }

  /** Drops reads, but those that were wanted anew meanwhile. */
  async dropReads(
    session: Session,
    reads: readonly Pick<UpstreamRead, (typeof DATED_KEY)[number]>[],
  ): Promise<void> {
    const keys = reads.map((read) => DATED_KEY.map((column) => read[column]));
    await runByKeys(session, 'DELETE FROM upstream_reads', DATED_KEY, keys);
  }

  /** Puts a read off. */
  async postpone(
    session: Session,
    { upstream_id, kind, record_key }: UpstreamRead,
    changes: Pick<UpstreamRead, 'failures' | 'next_try'>,
  ): Promise<void> {
    const reads = session.manager.withRepository(this.reads);
    await reads.update({ upstream_id, kind, record_key }, changes);
  }
}
