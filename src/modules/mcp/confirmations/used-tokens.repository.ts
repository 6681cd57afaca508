import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, Repository } from 'typeorm';
import type { Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { UsedTokenEntity, type UsedTokenRow } from './used-tokens.entity.js';

/** Contains all SQL on used confirmation tokens. */
@Injectable()
export class UsedTokensRepository {
  constructor(
    @InjectRepository(UsedTokenEntity) private readonly tokens: Repository<UsedTokenRow>,
  ) {}

  isUsed(session: Session, token_id: string): Promise<boolean> {
    return this.of(session).existsBy({ token_id });
  }

  countOf(session: Session, user_id: number): Promise<number> {
    return this.of(session).countBy({ user_id });
  }

  async add(session: Session, token: UsedTokenRow): Promise<void> {
    await this.of(session).insert({ ...token });
  }

  /** Removes the expired tokens of a user. @param now in UTC */
  async removeExpiredOf(session: Session, user_id: number, now: string): Promise<void> {
    await this.of(session).delete({ user_id, expires: LessThanOrEqual(now) });
  }

  /** Removes the expired tokens of all users. @param now in UTC */
  async removeExpired(session: Session, now: string): Promise<void> {
    await this.of(session).delete({ expires: LessThanOrEqual(now) });
  }

  private of({ manager }: Session): Repository<UsedTokenRow> {
    return manager.withRepository(this.tokens);
  }
}
