import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf, formatDateTime } from '../../../platform/values/time.js';
import type { Session } from '../../../platform/database/database.js';
import { RecurringService } from '../../recurring/index.js';
import type { TurnChanges } from './upstream-turn.model.js';
import type { Upstream } from '../upstreams/upstream.model.js';
import type { MirrorTurn } from './mirror-turn.js';

const ROUND_SECONDS = 86_400;
/** An ended subscription is read again in one of this many rounds, any other in each round. */
const ROUNDS_OF_ENDED = 30;
const ENDED: ReadonlySet<string> = new Set(['CANCELED', 'COMPLETED']);
/** A part is read each minute, so a round of many subscriptions takes ten hours. */
const PART_SECONDS = 60;
const PARTS_OF_ROUND = 600;
const LEAST_OF_PART = 100;

/**
 * Schedules a new read of each subscription of a mirrored vendor once a day, because no change of a
 * sale shows that a subscription was canceled. The progress of a round is stored with the upstream,
 * so it continues where it stopped.
 */
@Injectable()
export class PaymentRoundsService {
  constructor(private readonly recurring: RecurringService) {}

  /**
   * Schedules the reads of the next part if it is due.
   * @returns false if there is nothing to do now
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async goOn(turn: MirrorTurn, now: Date): Promise<boolean> {
    const { payments_next } = turn.upstream;
    if (payments_next !== null && payments_next > dateTimeOf(now)) return false;
    await turn.write(async (session, upstream) => {
      const begun =
        upstream.payments_after === null ? await this.begun(session, upstream, now) : {};
      const part = await this.part(session, { ...upstream, ...begun }, now);
      return { ...part, upstream: { ...begun, ...part.upstream } };
    });
    return true;
  }

  private async begun(
    session: Session,
    { vendor_id }: Upstream,
    now: Date,
  ): Promise<Partial<Upstream>> {
    const payments_total = await this.recurring.reads.countOf(session, vendor_id);
    const last_payments = dateTimeOf(now);
    return { payments_after: '', payments_seen: 0, payments_total, last_payments };
  }

  private async part(session: Session, upstream: Upstream, now: Date): Promise<TurnChanges> {
    const { vendor_id, payments_total, payments_after, payments_round: round } = upstream;
    const limit = Math.max(LEAST_OF_PART, Math.ceil(payments_total / PARTS_OF_ROUND));
    const after = payments_after ?? '';
    const payments = await this.recurring.reads.statusesAfter(session, vendor_id, after, limit);
    const due = payments.filter(({ pre_key, status }) => {
      return !ENDED.has(status) || roundOf(pre_key) === round % ROUNDS_OF_ENDED;
    });
    const sale_date = dateTimeOf(now);
    const seen = upstream.payments_seen + payments.length;
    const last = payments.length < limit ? null : payments.at(-1);
    const next: Partial<Upstream> =
      last == null
        ? ended(upstream, seen)
        : { payments_after: last.pre_key, payments_next: later(now, due.length) };
    return {
      upstream: { payments_seen: seen, ...next },
      added: due.map(({ pre_key }) => ({ kind: 'payment', record_key: pre_key, sale_date })),
    };
  }
}

/** Returns the time of the next part. A part without reads causes no wait. */
function later(now: Date, reads: number): string {
  return dateTimeOf(new Date(now.getTime() + (reads === 0 ? 0 : PART_SECONDS * 1_000)));
}

function ended({ last_payments, created, payments_round }: Upstream, seen: number) {
  const began = Date.parse(formatDateTime(last_payments ?? created));
  return {
    payments_after: null,
    payments_total: seen,
    payments_round: payments_round + 1,
    payments_next: dateTimeOf(new Date(began + ROUND_SECONDS * 1_000)),
  };
}

/** Returns the number of the round in which an ended subscription is read. */
function roundOf(pre_key: string): number {
  return createHash('sha1').update(pre_key).digest().readUInt32BE() % ROUNDS_OF_ENDED;
}
