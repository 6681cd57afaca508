import { Injectable } from '@nestjs/common';
import {
  IsNull,
  LessThan,
  MoreThan,
  Not,
  Repository,
  type ObjectLiteral,
  type SelectQueryBuilder,
} from 'typeorm';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { OPERATOR } from '../../../platform/values/author.js';
import type {
  ApiApplication,
  ApiApplicationRow,
  ApplicationWithKey,
  ListedApplication,
  StoredKey,
  UserStatus,
} from '../account.model.js';
import { ALL_VENDORS } from '../../../api/access/principal.js';
import { ApiApplicationEntity, ApiKeyEntity, type ApiKeyRow } from '../accounts.entity.js';

export type ApplicationChange = Partial<
  Pick<
    ApiApplication,
    'name' | 'state' | 'access' | 'expires' | 'address_allow_list' | 'limits' | 'mcp_writes'
  >
>;

/** This row has a key with everything that decides whether it may be used. */
export interface KeyRow
  extends
    Pick<ApiKeyRow, 'key_hash' | 'application_id'>,
    Pick<ApiApplication, 'user_id' | 'address_allow_list' | 'limits' | 'mcp_writes'> {
  /** One of ACCESSES, unless the row was changed by hand. */
  readonly access: string;
  /** Null for a source of all vendors, which has no user. */
  readonly user_status: UserStatus | null;
  /** Times at which the key and its application expire, in UTC, or null. */
  readonly key_expires: string | null;
  readonly application_expires: string | null;
}

const COLUMNS = [
  'id',
  'user_id',
  'name',
  'state',
  'access',
  'created',
  'expires',
  'address_allow_list',
  'limits',
  'mcp_writes',
] as const;

type FoundApplication = Omit<ListedApplication, 'old_key_ends'> & {
  readonly last_end: string | null;
};

/** Runs all SQL on API applications and their keys. */
@Injectable()
export class ApiApplicationsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ApiApplicationEntity)
    private readonly applications: Repository<ApiApplicationRow>,
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyRow>,
  ) {}

  /**
   * Finds a key by its hash if neither the key nor its application has expired or is revoked. The
   * statement is written by hand because each process runs it once a second for each key in use.
   */
  async activeKey(key_hash: string, now: string): Promise<KeyRow | null> {
    const [row] = await this.database.select<KeyRow>(
      `SELECT k.key_hash, a.user_id, a.id AS application_id, a.access, u.status AS user_status,
         k.expires AS key_expires, a.expires AS application_expires, a.address_allow_list, a.limits,
         a.mcp_writes
       FROM api_keys k JOIN api_applications a ON a.id = k.application_id
         LEFT JOIN users u ON u.id = a.user_id
       WHERE k.key_hash = ? AND a.state = 'active'
         AND (u.id IS NOT NULL OR (a.user_id = ${ALL_VENDORS} AND a.access = 'source'))
         AND (k.expires IS NULL OR k.expires > ?) AND (a.expires IS NULL OR a.expires > ?)`,
      [key_hash, now, now],
    );
    return row ?? null;
  }

  /** Records the use of a key, unless a process recorded one after `before`. */
  async noteUse(key_hash: string, now: string, before: string): Promise<void> {
    const isDue = [
      { key_hash, last_used: IsNull() },
      { key_hash, last_used: LessThan(before) },
    ];
    await this.database.write((session) => this.keysIn(session).update(isDue, { last_used: now }));
  }

  /** @returns the id that the database assigned */
  async insertApplication(
    session: Session,
    application: Omit<ApiApplication, 'id'>,
    key: StoredKey,
  ): Promise<number> {
    const { identifiers } = await this.applicationsIn(session).insert({ ...application });
    const id: unknown = identifiers[0]?.id;
    if (typeof id !== 'number') throw new Error('the database assigned no id');
    await this.insertKey(session, id, key, application.created);
    return id;
  }

  countActive(session: Session, user_id: number): Promise<number> {
    return this.applicationsIn(session).countBy({ user_id, state: 'active' });
  }

  /**
   * Returns the ids of a user's API applications that are not revoked. Sources are left out because
   * they belong to the operator.
   */
  async activeIdsOf(session: Session, user_id: number): Promise<number[]> {
    const where = { user_id, state: 'active' as const, access: Not<'source'>('source') };
    const rows = await this.applicationsIn(session).find({ select: { id: true }, where });
    return rows.map(({ id }) => id);
  }

  /** @returns false if the key was already shown after `unlessAfter` */
  async noteShown(session: Session, id: number, now: string, unlessAfter: string) {
    const isDue = [
      { id, last_shown: IsNull() },
      { id, last_shown: LessThan(unlessAfter) },
    ];
    const { affected } = await this.applicationsIn(session).update(isDue, { last_shown: now });
    return affected !== 0;
  }

  async insertKey(session: Session, application_id: number, key: StoredKey, created: string) {
    await this.keysIn(session).insert({ ...key, application_id, created });
  }

  /**
   * Lists applications, ordered by id.
   * @param by the user whose applications are listed, or OPERATOR for those of all users
   * @param now old keys work if they expire later than this
   * @param id restricts the list to one application
   */
  async list(by: number, now: string, id?: number): Promise<ListedApplication[]> {
    const rows = await this.applications
      .createQueryBuilder('a')
      .select(columnsOf('a', COLUMNS))
      .addSelect(latestOfKeys('last_used'), 'last_used')
      .addSelect(latestOfKeys('expires'), 'last_end')
      .where({ ...visibleTo(by), ...(id !== undefined && { id }) })
      .orderBy('a.id')
      .getRawMany<FoundApplication>();
    return rows.map(({ last_end, ...application }) => ({
      ...application,
      old_key_ends: endOfOldKeys(application, last_end, now),
    }));
  }

  /**
   * Returns the active applications of a user that have a key created after a date-time, the newest
   * key first.
   */
  withKeysSince(user_id: number, since: string): Promise<ApplicationWithKey[]> {
    return this.applications
      .createQueryBuilder('a')
      .select('a.id, a.name')
      .addSelect('MAX(k.created)', 'key_created')
      .innerJoin('api_keys', 'k', 'k.application_id = a.id')
      .where({ user_id, state: 'active' })
      .andWhere('k.created > :since', { since })
      .groupBy('a.id, a.name')
      .orderBy('key_created', 'DESC')
      .addOrderBy('a.id', 'DESC')
      .getRawMany<ApplicationWithKey>();
  }

  /** Reads an application and locks it until the session ends. */
  async lockedApplication(session: Session, id: number, by: number) {
    const where = { id, ...visibleTo(by) };
    const [found] = await this.applicationsIn(session).find({ where, ...session.dialect.locked });
    return found === undefined ? null : applicationOf(found);
  }

  async change(session: Session, id: number, change: ApplicationChange): Promise<void> {
    await this.applicationsIn(session).update({ id }, change);
  }

  /** Makes all keys of the application expire at a date-time, unless they expire earlier. */
  async endKeys(session: Session, application_id: number, at: string): Promise<void> {
    const isLater = [
      { application_id, expires: IsNull() },
      { application_id, expires: MoreThan(at) },
    ];
    await this.keysIn(session).update(isLater, { expires: at });
  }

  /**
   * Returns the time when the last of the application's old keys expires, or null if none works at
   * `now`.
   */
  async oldKeyEnds(session: Session, application: ApiApplication, now: string) {
    const [last] = await this.keysIn(session).find({
      where: { application_id: application.id },
      order: { expires: 'DESC' },
      take: 1,
    });
    return endOfOldKeys(application, last?.expires ?? null, now);
  }

  /** Ends the old keys that still work after a rotation. */
  async endOldKeys(session: Session, application_id: number, at: string): Promise<void> {
    await this.keysIn(session).update({ application_id, expires: MoreThan(at) }, { expires: at });
  }

  /** Returns the current key of an application, which is the only one without an expiry time. */
  currentKey(reader: EntityReader, application_id: number): Promise<StoredKey | null> {
    return this.keysIn(reader).findOneBy({ application_id, expires: IsNull() });
  }

  private applicationsIn({ manager }: EntityReader): Repository<ApiApplicationRow> {
    return manager.withRepository(this.applications);
  }

  private keysIn({ manager }: EntityReader): Repository<ApiKeyRow> {
    return manager.withRepository(this.keys);
  }
}

/** Returns a subquery for the latest value of a column among the keys of the application `a`. */
function latestOfKeys(column: 'last_used' | 'expires') {
  return (query: SelectQueryBuilder<ObjectLiteral>) =>
    query.select(`MAX(k.${column})`).from(ApiKeyEntity, 'k').where('k.application_id = a.id');
}

function applicationOf({ last_shown: _, ...application }: ApiApplicationRow): ApiApplication {
  return application;
}

/** Returns a filter: users see their own applications, the operator sees all. */
function visibleTo(by: number): { readonly user_id?: number } {
  return by === OPERATOR ? {} : { user_id: by };
}

/**
 * Returns the time when old keys end, which is at the latest when their application expires.
 * @param last the latest expiry time of an old key
 */
function endOfOldKeys({ state, expires }: ApiApplication, last: string | null, now: string) {
  if (last === null || state === 'revoked') return null;
  const end = expires !== null && expires < last ? expires : last;
  return end > now ? end : null;
}
