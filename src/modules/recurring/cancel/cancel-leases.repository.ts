import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, MoreThan, Repository } from 'typeorm';
import type { Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { RecurringCancelEntity, type RecurringCancelRow } from '../recurring-payment.entity.js';

/** Identifies the user and the application that requested a cancellation. */
export type CancelRequester = Pick<RecurringCancelRow, 'user_id' | 'application_id'>;

/** Identifies a cancellation by its `pre_key`, with who requested it. */
export interface DueCancel extends CancelRequester {
  readonly id: string;
}

/** Describes a cancellation that has no final outcome yet. Date-times are in UTC. */
export interface OpenCancel extends RecurringCancelRow {
  readonly asked: string;
}

/**
 * Counts the cancellations that wait for the processor's answer. `oldest` is when the oldest was
 * requested.
 */
export interface WaitingCancels {
  readonly count: number;
  readonly oldest: string | null;
}

/** Contains all SQL on open cancellations. */
@Injectable()
export class CancelLeasesRepository {
  constructor(
    @InjectRepository(RecurringCancelEntity)
    private readonly cancels: Repository<RecurringCancelRow>,
  ) {}

  /** Reads an open cancellation and locks it until the session ends. */
  async locked(session: Session, pre_key: string): Promise<OpenCancel | null> {
    const [row] = await this.of(session).find({ where: { pre_key }, ...session.dialect.locked });
    return row === undefined ? null : { ...row, asked: row.asked ?? row.claim_ends };
  }

  async add(session: Session, cancel: OpenCancel): Promise<void> {
    await this.of(session).insert({ ...cancel });
  }

  /** Changes the lease on a cancellation and the time of its next attempt. */
  async change(session: Session, pre_key: string, changes: Partial<OpenCancel>): Promise<void> {
    await this.of(session).update({ pre_key }, changes);
  }

  async drop(session: Session, pre_key: string, claim: string): Promise<void> {
    await this.of(session).delete({ pre_key, claim });
  }

  /**
   * Returns cancellations without a valid lease whose next attempt is due.
   * @param now in UTC
   */
  async due(now: string, limit: number): Promise<DueCancel[]> {
    const isFree = { claim_ends: LessThanOrEqual(now), user_id: MoreThan(0) };
    const rows = await this.cancels.find({
      select: { pre_key: true, user_id: true, application_id: true },
      where: [
        { ...isFree, next_try: IsNull() },
        { ...isFree, next_try: LessThanOrEqual(now) },
      ],
      order: { next_try: 'ASC' },
      take: limit,
    });
    return rows.map(({ pre_key, ...by }) => ({ id: pre_key, ...by }));
  }

  async waiting(): Promise<WaitingCancels> {
    const row = await this.cancels
      .createQueryBuilder()
      .select('COUNT(*)', 'count')
      .addSelect('MIN(asked)', 'oldest')
      .where({ tries: MoreThan(0) })
      .getRawOne<WaitingCancels>();
    return row ?? { count: 0, oldest: null };
  }

  private of({ manager }: Session): Repository<RecurringCancelRow> {
    return manager.withRepository(this.cancels);
  }
}
