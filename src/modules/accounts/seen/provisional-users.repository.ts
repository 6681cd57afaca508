import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan, Not, Repository } from 'typeorm';
import type { Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import type { ApiApplicationRow, ListedUser, UserOfSource, UserRow } from '../account.model.js';
import { ApiApplicationEntity, USER_COLUMNS, UserEntity } from '../accounts.entity.js';

/**
 * This condition is true for the user `u` if a source or an upstream created the user, and no
 * record or command of the operator has named or admitted the user.
 */
export const IS_PROVISIONAL =
  "(u.source_vendor_id IS NOT NULL AND COALESCE(u.admitted, '') <> 'operator')";

/**
 * This condition is true for the user `u` if the user may sign in: the user is the operator's or
 * was admitted.
 */
export const MAY_SIGN_IN = '(u.source_vendor_id IS NULL OR u.admitted IS NOT NULL)';

/** A provisional user is one that the operator has not named. */
export interface ProvisionalUser extends Pick<
  ListedUser,
  'id' | 'name' | 'email' | 'display_name' | 'status' | 'has_password'
> {
  /** Vendor whose source or upstream created the user. */
  readonly source_vendor_id: number;
  /** True if the user has an API application that is not revoked. */
  readonly has_application: boolean;
}

/** A named user comes from a source and is now named by the operator's first record. */
export type NamedUser = Pick<UserOfSource, 'id' | 'email'>;

type ProvisionalRow = Omit<ProvisionalUser, 'has_password' | 'has_application'> & {
  readonly password_of: number | null;
  readonly applications: number;
};

/** Runs the SQL on users that the operator has not named. */
@Injectable()
export class ProvisionalUsersRepository {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserRow>,
    @InjectRepository(ApiApplicationEntity)
    private readonly applications: Repository<ApiApplicationRow>,
  ) {}

  /** Returns the next provisional users after an id, ordered by id. */
  async after(id: number, limit: number): Promise<ProvisionalUser[]> {
    const rows = await this.users
      .createQueryBuilder('u')
      .select(columnsOf('u', [...USER_COLUMNS, 'source_vendor_id']))
      .addSelect('p.user_id', 'password_of')
      .addSelect(
        (query) =>
          query
            .select('COUNT(*)')
            .from(ApiApplicationEntity, 'a')
            .where("a.user_id = u.id AND a.state = 'active' AND a.access <> 'source'"),
        'applications',
      )
      .leftJoin('user_passwords', 'p', 'p.user_id = u.id')
      .where({ id: MoreThan(id) })
      .andWhere(IS_PROVISIONAL)
      .orderBy('u.id')
      .limit(limit)
      .getRawMany<ProvisionalRow>();
    return rows.map(({ password_of, applications, ...user }) => {
      return { ...user, has_password: password_of !== null, has_application: applications > 0 };
    });
  }

  /** Admits a locked user if a source created the user and the operator has not named the user. */
  async admit(session: Session, id: number): Promise<void> {
    const ofSource = { id, source_vendor_id: Not(IsNull()) };
    const users = session.manager.withRepository(this.users);
    await users.update(ofSource, { admitted: 'operator' });
  }

  /**
   * Returns the ids of a user's API applications that are not revoked. Sources are left out because
   * they belong to the operator.
   */
  async activeApplications(session: Session, user_id: number): Promise<number[]> {
    const applications = session.manager.withRepository(this.applications);
    const where = { user_id, state: 'active' as const, access: Not<'source'>('source') };
    const rows = await applications.find({ select: { id: true }, where });
    return rows.map(({ id }) => id);
  }
}
