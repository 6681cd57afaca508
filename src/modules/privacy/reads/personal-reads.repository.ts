import { Injectable } from '@nestjs/common';
import {
  LessThan,
  LessThanOrEqual,
  MoreThan,
  MoreThanOrEqual,
  Repository,
  type SelectQueryBuilder,
} from 'typeorm';
import { Database } from '../../../platform/database/database.js';
import {
  columnsOfEntity,
  replaceEntities,
} from '../../../platform/database/entities/entity-rows.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import { PersonalReadEntity } from '../privacy.entity.js';
import {
  textOfKeys,
  type KeptReads,
  type ReadPosition,
  type ReadsCriteria,
  type RecordOfReads,
} from './personal-read.model.js';

const COLUMNS = columnsOfEntity(PersonalReadEntity);
const OTHERS = COLUMNS.filter((column) => column !== 'record_keys');

/** This row was read, and matches the criteria if `is_match` is 1. */
type LookedAt = KeptReads & { readonly is_match: number };

/** Runs all SQL on reads of personal data. The rows of each second are written by hand, in bulk. */
@Injectable()
export class PersonalReadsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(PersonalReadEntity) private readonly reads: Repository<KeptReads>,
  ) {}

  /**
   * Adds rows. If it is repeated after a commit with an unknown result, it writes the same rows.
   */
  async add(reads: readonly KeptReads[]): Promise<void> {
    const rows = reads.map((read) => ({ ...read }));
    await this.database.writeIdempotent((session) =>
      replaceEntities(session, PersonalReadEntity, rows),
    );
  }

  /**
   * Returns the next rows before a position, newest first. If the criteria name a record, rows
   * contain no other record's key.
   */
  lookBefore(
    { vendor_id, first_day, last_day, record }: ReadsCriteria,
    position: ReadPosition | null,
    limit: number,
  ): Promise<LookedAt[]> {
    const rows = this.reads
      .createQueryBuilder('r')
      .select(columnsOf('r', OTHERS))
      .where({ vendor_id })
      .orderBy('r.read_at', 'DESC')
      .addOrderBy('r.writer', 'DESC')
      .addOrderBy('r.number', 'DESC')
      .limit(limit);
    if (record === null) rows.addSelect('r.record_keys', 'record_keys').addSelect('1', 'is_match');
    else selectMatches(rows, record);
    if (first_day !== null) rows.andWhere({ read_at: MoreThanOrEqual(startOfDay(first_day)) });
    if (last_day !== null) rows.andWhere({ read_at: LessThanOrEqual(endOfDay(last_day)) });
    if (position !== null) {
      const { read_at, writer, number } = position;
      // The first condition lets the database use the primary key.
      rows
        .andWhere({ read_at: LessThanOrEqual(read_at) })
        .andWhere([
          { read_at: LessThan(read_at) },
          { read_at, writer: LessThan(writer) },
          { read_at, writer, number: LessThan(number) },
        ]);
    }
    return rows.getRawMany<LookedAt>();
  }

  /**
   * Returns the first vendor after an id for whose customers reads are kept.
   * @returns null if there is none
   */
  vendorAfter(vendor_id: number): Promise<number | null> {
    return this.reads.minimum('vendor_id', { vendor_id: MoreThan(vendor_id) });
  }

  /**
   * Deletes the oldest rows that are older than a date-time. @returns the number of deleted rows
   */
  async deleteOldest(vendor_id: number, olderThan: string, limit: number): Promise<number> {
    const oldest = await this.reads
      .createQueryBuilder('r')
      .select('r.read_at', 'read_at')
      .where({ vendor_id, read_at: LessThan(olderThan) })
      .orderBy('r.read_at')
      .limit(limit)
      .getRawMany<Pick<KeptReads, 'read_at'>>();
    const last = oldest.at(-1)?.read_at;
    if (last === undefined) return 0;
    const { affected } = await this.database.writeIdempotent((session) =>
      session.manager
        .withRepository(this.reads)
        .delete({ vendor_id, read_at: LessThanOrEqual(last) }),
    );
    return affected ?? 0;
  }
}

/**
 * Selects whether a row matches a record. A search in the text is used, because an index of keys
 * would need a row for each read (see `docs/adr/0034-personal-data-ends.md`).
 */
function selectMatches(
  rows: SelectQueryBuilder<KeptReads>,
  { record_key, days }: RecordOfReads,
): void {
  const isRead = 'INSTR(r.record_keys, :key) > 0';
  const { sql, values } = listsWith(days);
  rows
    .addSelect('CASE WHEN r.record_keys IS NULL THEN NULL ELSE :key END', 'record_keys')
    .addSelect(`CASE WHEN ${isRead} OR ${sql} THEN 1 ELSE 0 END`, 'is_match')
    .setParameters({ key: textOfKeys([record_key]), ...values });
}

/** Returns a condition for lists whose range has one of the days, and for lists without a range. */
function listsWith(days: readonly string[]) {
  const has = days.map(
    (_, index) => ` OR (r.first_day <= :day_${index} AND r.last_day >= :day_${index})`,
  );
  const range = days.length === 0 ? '' : ` AND (r.first_day IS NULL${has.join('')})`;
  return {
    sql: `(r.record_keys IS NULL${range})`,
    values: Object.fromEntries(days.map((day, index) => [`day_${index}`, day])),
  };
}
