import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import type { Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import type { UserRow } from '../account.model.js';
import { MAY_SIGN_IN } from '../seen/provisional-users.repository.js';
import { UserEntity, UserPasswordEntity, type UserPasswordRow } from '../accounts.entity.js';

/**
 * Sign-in compares the passwords of at most this many users with the same e-mail. Few users share
 * an e-mail, and each comparison costs CPU time.
 */
export const MAX_WITH_SAME_EMAIL = 5;

export interface KnownPassword {
  readonly user_id: number;
  readonly password_hash: string;
  readonly password_id: string;
}

/** Runs all SQL on passwords. */
@Injectable()
export class PasswordsRepository {
  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserRow>,
    @InjectRepository(UserPasswordEntity) private readonly passwords: Repository<UserPasswordRow>,
  ) {}

  /**
   * Returns the passwords of all users who may sign in with this e-mail. In the ledger, several
   * users can have the same e-mail.
   */
  passwordsOf(sign_in_email: string, limit: number): Promise<KnownPassword[]> {
    return this.users
      .createQueryBuilder('u')
      .select('p.user_id, p.password_hash, p.password_id')
      .innerJoin('user_passwords', 'p', 'p.user_id = u.id')
      .where({ sign_in_email })
      .andWhere(MAY_SIGN_IN)
      .orderBy('u.id')
      .limit(limit)
      .getRawMany<KnownPassword>();
  }

  /**
   * Returns the largest number of users who have a password and share an e-mail, up to
   * MAX_WITH_SAME_EMAIL.
   */
  async mostWithSameEmail(): Promise<number> {
    const row = await this.passwords
      .createQueryBuilder('p')
      .select('COUNT(*)', 'sharing')
      .innerJoin('users', 'u', 'u.id = p.user_id')
      .groupBy('u.sign_in_email')
      .orderBy('sharing', 'DESC')
      .limit(1)
      .getRawOne<{ readonly sharing: number }>();
    return Math.min(row?.sharing ?? 0, MAX_WITH_SAME_EMAIL);
  }

  async passwordHashOf(user_id: number): Promise<string | null> {
    return (await this.passwords.findOneBy({ user_id }))?.password_hash ?? null;
  }

  async savePassword(
    session: Session,
    { user_id, password_hash, password_id }: KnownPassword,
    changed: string,
  ): Promise<void> {
    const row = { user_id, password_hash, changed, password_id };
    await session.manager.withRepository(this.passwords).upsert(row, ['user_id']);
  }

  /**
   * Removes the password. Nobody can sign in as the user any more, and all sessions become invalid.
   */
  async remove(session: Session, user_id: number): Promise<void> {
    await session.manager.withRepository(this.passwords).delete({ user_id });
  }

  /** Changes the id of the password, which ends the sessions that began with the previous id. */
  async changeId(session: Session, user_id: number, password_id: string): Promise<void> {
    await session.manager.withRepository(this.passwords).update({ user_id }, { password_id });
  }
}
