import { Injectable } from '@nestjs/common';
import { In, LessThan, LessThanOrEqual, Not, Repository } from 'typeorm';
import { Database, type Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { SignInNetworkEntity, type SignInNetworkRow } from '../accounts.entity.js';

/** Runs all SQL on the networks that users sign in from. */
@Injectable()
export class SignInNetworksRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(SignInNetworkEntity) private readonly networks: Repository<SignInNetworkRow>,
  ) {}

  /** Returns the networks of a user, the newest sign-in first. */
  ofUser(session: Session, user_id: number): Promise<SignInNetworkRow[]> {
    return this.in(session).find({ where: { user_id }, order: { last_sign_in: 'DESC' } });
  }

  async save(session: Session, rows: readonly SignInNetworkRow[]): Promise<void> {
    await this.in(session).upsert([...rows], ['user_id', 'network']);
  }

  async remove(session: Session, user_id: number, networks: readonly string[]): Promise<void> {
    if (networks.length > 0) await this.in(session).delete({ user_id, network: In(networks) });
  }

  /** Removes the networks of all users whose last sign-in was before a date-time. */
  async removeBefore(earliest: string): Promise<void> {
    const isOld = { last_sign_in: LessThan(earliest) };
    await this.database.write((session) => this.in(session).delete(isOld));
  }

  /** Returns a user's notices that are not dismissed everywhere, the newest first. */
  noticesOf(user_id: number, most: number): Promise<SignInNetworkRow[]> {
    return this.networks.find({
      where: { user_id, notice: Not('none') },
      order: { noticed: 'DESC' },
      take: most,
    });
  }

  /** Dismisses the notices of other networks up to a date-time. */
  async dismissOthers(session: Session, user_id: number, network: string, until: string) {
    const others = { user_id, network: Not(network), notice: Not<'none'>('none') };
    const seen = { ...others, noticed: LessThanOrEqual(until) };
    await this.in(session).update(seen, { notice: 'none' });
  }

  /** Dismisses the notice of a network for sessions of that network. */
  async dismissThere(session: Session, user_id: number, network: string, until: string) {
    const seen = { user_id, network, notice: 'open' as const, noticed: LessThanOrEqual(until) };
    await this.in(session).update(seen, { notice: 'dismissed_there' });
  }

  private in({ manager }: Session): Repository<SignInNetworkRow> {
    return manager.withRepository(this.networks);
  }
}
