import { Injectable } from '@nestjs/common';
import { Between, LessThanOrEqual, MoreThan, MoreThanOrEqual, Repository } from 'typeorm';
import { isOneOf, replaceRows, runByKeys, selectByKeys } from '../../../platform/database/bulk.js';
import { Database, type Reader, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import {
  ErasedPersonEntity,
  ErasureFileEntity,
  PersonKeyEntity,
  type PersonKeyRow,
} from '../privacy.entity.js';
import {
  ERASURE_STATES,
  type ErasureFile,
  type NumberedKey,
  type StoredTombstone,
  type Tombstone,
} from './erased-person.model.js';

const KEY = ['vendor_id', 'person'] as const;
const COLUMNS = [...KEY, 'erased_at', 'is_pending', 'number', 'numbered_at'] as const;
const ONLY_KEY = 1;
const KEY_MISSING = 'people were erased, but the key of their hashes is missing';
const PENDING = { is_pending: ERASURE_STATES.pending } as const;
/** Maximum number of customers in one condition. */
const PEOPLE = 500;
/** Maximum number of vendors in one statement. */
const VENDORS = 64;
/**
 * This condition selects tombstones that an instance of the previous version stored or changed
 * without a number.
 */
const HAS_NO_NUMBER = `(is_pending = ${ERASURE_STATES.before} OR numbered_at IS NULL
  OR numbered_at <> erased_at)`;

export type TombstoneKey = Pick<Tombstone, 'vendor_id' | 'person'>;

/**
 * Runs all SQL on the tombstones of erased customers, and on what is recorded about files of
 * erasures. The look-ups that an import makes for each batch, the next number, for which erasures
 * wait, and the statements for many tombstones at once are written by hand.
 */
@Injectable()
export class TombstonesRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ErasedPersonEntity) private readonly people: Repository<StoredTombstone>,
    @InjectRepository(PersonKeyEntity) private readonly keys: Repository<PersonKeyRow>,
    @InjectRepository(ErasureFileEntity) private readonly files: Repository<ErasureFile>,
  ) {}

  /** Returns the last erasure of each of these vendors that has one, from one index entry each. */
  async lastErasures(reader: Reader, vendor_ids: readonly number[]) {
    const found: Pick<Tombstone, 'vendor_id' | 'erased_at'>[] = [];
    for (let at = 0; at < vendor_ids.length; at += VENDORS) {
      const { values } = isOneOf('vendor_id', vendor_ids.slice(at, at + VENDORS));
      const last = (_: unknown, index: number) =>
        `SELECT vendor_id, erased_at FROM (SELECT vendor_id, erased_at FROM erased_people
          WHERE vendor_id = ? ORDER BY erased_at DESC LIMIT 1) last_${index}`;
      found.push(...(await reader.select<Tombstone>(values.map(last).join(' UNION '), values)));
    }
    return found;
  }

  /** Returns the tombstones of these customers at these vendors. */
  async tombstonesOf(reader: Reader, vendor_ids: readonly number[], people: readonly string[]) {
    const vendors = isOneOf('vendor_id', vendor_ids);
    const found: StoredTombstone[] = [];
    for (let at = 0; at < people.length; at += PEOPLE) {
      const some = isOneOf('person', people.slice(at, at + PEOPLE));
      const rows = await reader.select<StoredTombstone>(
        `SELECT ${COLUMNS.join(', ')} FROM erased_people WHERE ${vendors.sql} AND ${some.sql}`,
        [...vendors.values, ...some.values],
      );
      found.push(...rows);
    }
    return found;
  }

  /**
   * @returns the tombstones that the database lacks, or for which it has only an earlier erasure
   */
  async missingOf(tombstones: readonly Tombstone[]): Promise<Tombstone[]> {
    const latest = latestOf(tombstones);
    const select = `SELECT ${KEY.join(', ')}, erased_at FROM erased_people`;
    const keys = latest.map(({ vendor_id, person }) => [vendor_id, person]);
    const rows = await selectByKeys<Tombstone>(this.database, select, KEY, keys);
    const stored = new Map(rows.map((row) => [nameOf(row), row.erased_at]));
    return latest.filter((each) => (stored.get(nameOf(each)) ?? '') < each.erased_at);
  }

  /** Stores tombstones of customers whose data is still to be erased, under the next number. */
  async save(session: Session, tombstones: readonly Tombstone[]): Promise<void> {
    const number = await this.nextNumber(session);
    const rows = tombstones.map(({ vendor_id, person, erased_at }) => {
      return [vendor_id, person, erased_at, ERASURE_STATES.pending, number, erased_at];
    });
    await replaceRows(session, 'erased_people', COLUMNS, rows, KEY);
  }

  /** Marks an erasure as done. A later erasure of the same customer stays pending. */
  async finish(session: Session, { vendor_id, person, erased_at }: Tombstone): Promise<void> {
    const people = session.manager.withRepository(this.people);
    await people.update({ vendor_id, person, erased_at }, { is_pending: ERASURE_STATES.done });
  }

  /** Marks several pending erasures as done. */
  async finishAll(session: Session, tombstones: readonly Tombstone[]): Promise<void> {
    const keys = tombstones.map((each) => [each.vendor_id, each.person, each.erased_at]);
    const statement = `UPDATE erased_people SET is_pending = ${ERASURE_STATES.done}`;
    await runByKeys(session, statement, [...KEY, 'erased_at'], keys);
  }

  /** Returns the encrypted key of the hashes, or null before the first erasure. */
  async secret(reader: Reader): Promise<string | null> {
    const [row] = await reader.select<{ readonly secret: string }>(
      'SELECT secret FROM person_keys WHERE id = ?',
      [ONLY_KEY],
    );
    return row?.secret ?? null;
  }

  /**
   * Adds the key. It fails if another process has just added one, and the session is then repeated.
   */
  async addSecret(session: Session, secret: string): Promise<void> {
    const keys = session.manager.withRepository(this.keys);
    await keys.insert({ id: ONLY_KEY, secret, last_number: 0 });
  }

  /** Returns the highest number of a tombstone, or 0 if none has one. */
  async lastNumber(): Promise<number> {
    return (await this.people.maximum('number')) ?? 0;
  }

  /**
   * Returns tombstones after this one, in the order of their numbers, up to the number `through`.
   */
  after({ number, vendor_id, person }: NumberedKey, through: number, take: number) {
    return this.database.select<StoredTombstone>(
      `SELECT ${COLUMNS.join(', ')} FROM erased_people
       WHERE number BETWEEN ? AND ?
         AND (number > ? OR vendor_id > ? OR (vendor_id = ? AND person > ?))
       ORDER BY number, vendor_id, person LIMIT ?`,
      [number, through, number, vendor_id, vendor_id, person, take],
    );
  }

  /**
   * Returns tombstones in this state after this one that need a number, in the order of their keys.
   */
  withoutNumber(state: StoredTombstone['is_pending'], after: TombstoneKey, take: number) {
    return this.people
      .createQueryBuilder('p')
      .select(columnsOf('p', KEY))
      .where({ is_pending: state, vendor_id: MoreThanOrEqual(after.vendor_id) })
      .andWhere([{ vendor_id: MoreThan(after.vendor_id) }, { person: MoreThan(after.person) }])
      .andWhere(HAS_NO_NUMBER)
      .orderBy('p.vendor_id')
      .addOrderBy('p.person')
      .limit(take)
      .getRawMany<TombstoneKey>();
  }

  /**
   * Gives the next number to those of these tombstones that need one.
   * @param some tombstones in the order of their keys
   */
  async number(
    session: Session,
    state: StoredTombstone['is_pending'],
    some: readonly TombstoneKey[],
  ): Promise<void> {
    const { before, done } = ERASURE_STATES;
    const number = await this.nextNumber(session);
    for (const { vendor_id, first, last } of rangesOf(some)) {
      const is_pending = state === before ? done : state;
      await session.manager
        .createQueryBuilder()
        .update(ErasedPersonEntity)
        .set({ number, numbered_at: () => 'erased_at', is_pending })
        .where({ is_pending: state, vendor_id, person: Between(first, last) })
        .andWhere(HAS_NO_NUMBER)
        .execute();
    }
  }

  /** Returns the first vendor after this one that has pending erasures up to a number, or null. */
  async pendingVendor(after: number, through: number): Promise<number | null> {
    const first = await this.people.findOne({
      select: { vendor_id: true },
      where: { ...PENDING, vendor_id: MoreThan(after), number: LessThanOrEqual(through) },
      order: { vendor_id: 'ASC' },
    });
    return first?.vendor_id ?? null;
  }

  /**
   * Returns pending erasures of a vendor after this one, in the order of their keys, up to a
   * number.
   */
  pendingAt({ vendor_id, person }: TombstoneKey, through: number, take: number) {
    return this.database.select<StoredTombstone>(
      `SELECT ${COLUMNS.join(', ')} FROM erased_people
       WHERE is_pending = ${ERASURE_STATES.pending} AND vendor_id = ? AND person > ? AND number <= ?
       ORDER BY person LIMIT ?`,
      [vendor_id, person, through, take],
    );
  }

  /** Counts the pending erasures that were requested until a date-time. */
  countPending(until: string): Promise<number> {
    return this.people.countBy({ ...PENDING, erased_at: LessThanOrEqual(until) });
  }

  /**
   * Returns the next number. The row stays locked until the session ends, so numbers are in commit
   * order.
   */
  private async nextNumber(session: Session): Promise<number> {
    await session.run('UPDATE person_keys SET last_number = last_number + 1 WHERE id = ?', [
      ONLY_KEY,
    ]);
    const [key] = await session.select<Pick<PersonKeyRow, 'last_number'>>(
      'SELECT last_number FROM person_keys WHERE id = ?',
      [ONLY_KEY],
    );
    if (key === undefined) throw new Error(KEY_MISSING);
    return key.last_number;
  }

  /** Returns what is recorded about a file of erasures, or null. */
  file(id: string): Promise<ErasureFile | null> {
    return this.files.findOneBy({ id });
  }

  async saveFile(session: Session, file: ErasureFile): Promise<void> {
    await session.manager.withRepository(this.files).upsert(file, ['id']);
  }
}

function nameOf({ vendor_id, person }: TombstoneKey): string {
  return `${vendor_id} ${person}`;
}

/** Returns the last erasure of each customer at each vendor. */
function latestOf(tombstones: readonly Tombstone[]): Tombstone[] {
  const latest = new Map<string, Tombstone>();
  for (const tombstone of tombstones) {
    const name = nameOf(tombstone);
    if ((latest.get(name)?.erased_at ?? '') < tombstone.erased_at) latest.set(name, tombstone);
  }
  return [...latest.values()];
}

/** Returns one range of keys for each vendor. */
function rangesOf(some: readonly TombstoneKey[]) {
  const ranges = new Map<number, { vendor_id: number; first: string; last: string }>();
  for (const { vendor_id, person } of some) {
    const first = ranges.get(vendor_id)?.first ?? person;
    ranges.set(vendor_id, { vendor_id, first, last: person });
  }
  return [...ranges.values()];
}
