import { Injectable } from '@nestjs/common';
import { In, LessThan, Repository, type ObjectLiteral, type SelectQueryBuilder } from 'typeorm';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import {
  ALL_USERS,
  RecoveryCodeEntity,
  TwoFactorEntity,
  TwoFactorRequirementEntity,
  type RecoveryCodeRow,
  type TwoFactorRequirementRow,
  type TwoFactorRow,
} from '../accounts.entity.js';

/** Selects the number of requirements that apply to the user `u` of a query. */
export function countRequirements(query: SelectQueryBuilder<ObjectLiteral>) {
  return query
    .select('COUNT(*)')
    .from(TwoFactorRequirementEntity, 'r')
    .where('r.user_id IN (:all, u.id)', { all: ALL_USERS });
}

/** Runs all SQL on two-factor sign-in. */
@Injectable()
export class TwoFactorRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(TwoFactorEntity) private readonly secrets: Repository<TwoFactorRow>,
    @InjectRepository(RecoveryCodeEntity) private readonly codes: Repository<RecoveryCodeRow>,
    @InjectRepository(TwoFactorRequirementEntity)
    private readonly requirements: Repository<TwoFactorRequirementRow>,
  ) {}

  of(user_id: number, reader: EntityReader = this.database): Promise<TwoFactorRow | null> {
    return reader.manager.withRepository(this.secrets).findOneBy({ user_id });
  }

  async add(session: Session, row: TwoFactorRow): Promise<void> {
    await session.manager.withRepository(this.secrets).insert(row);
  }

  /**
   * Uses up a time step and all earlier ones in one statement. If two instances receive the same
   * code at once, one of them gets false.
   */
  async takeStep(session: Session, row: TwoFactorRow, last_step: number): Promise<boolean> {
    const { user_id, confirmed } = row;
    const unused = { user_id, confirmed, last_step: LessThan(last_step) };
    const secrets = session.manager.withRepository(this.secrets);
    return (await secrets.update(unused, { last_step })).affected !== 0;
  }

  /** Uses up a recovery code. @returns false if there is no such code, or it was used */
  async takeRecoveryCode(session: Session, row: RecoveryCodeRow): Promise<boolean> {
    return (await session.manager.withRepository(this.codes).delete({ ...row })).affected !== 0;
  }

  countRecoveryCodes(user_id: number, reader: EntityReader = this.database): Promise<number> {
    return reader.manager.withRepository(this.codes).countBy({ user_id });
  }

  async replaceRecoveryCodes(session: Session, user_id: number, hashes: readonly string[]) {
    const codes = session.manager.withRepository(this.codes);
    await codes.delete({ user_id });
    if (hashes.length > 0) await codes.insert(hashes.map((code_hash) => ({ user_id, code_hash })));
  }

  /** Removes a user's secret and recovery codes. @returns false if there was no secret */
  async remove(session: Session, user_id: number): Promise<boolean> {
    await this.replaceRecoveryCodes(session, user_id, []);
    return (await session.manager.withRepository(this.secrets).delete({ user_id })).affected !== 0;
  }

  /** Returns the requirements that apply to a user. */
  requirementsOf(
    user_id: number,
    reader: EntityReader = this.database,
  ): Promise<TwoFactorRequirementRow[]> {
    const requirements = reader.manager.withRepository(this.requirements);
    return requirements.findBy({ user_id: In([ALL_USERS, user_id]) });
  }

  async require(session: Session, row: TwoFactorRequirementRow): Promise<void> {
    await session.manager.withRepository(this.requirements).upsert(row, ['user_id']);
  }

  async stopRequiring(session: Session, user_id: number): Promise<void> {
    await session.manager.withRepository(this.requirements).delete({ user_id });
  }
}
