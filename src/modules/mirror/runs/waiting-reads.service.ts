import { Injectable } from '@nestjs/common';
import { dateTimeOf, dayOf, daysAfter } from '../../../common/time.js';
import { isError } from '../../../common/errors/is-error.js';
import {
  isOfOneRecord,
  isPerhapsOfOneRecord,
  type UpstreamError,
} from '../../upstreams/client/upstream-error.model.js';
import { subjectOfRead } from '../../upstreams/turns/upstream-turn.model.js';
import { UpstreamTurnsService } from '../../upstreams/turns/upstream-turns.service.js';
import type { ReadKind, UpstreamRead } from '../../upstreams/upstream.model.js';
import { MirroredDetailsService } from '../records/mirrored-details.service.js';
import { MirroredRecordsService } from '../records/mirrored-records.service.js';
import { MirroredSalesService } from '../records/mirrored-sales.service.js';
import type { MirrorTurn } from './mirror-turn.js';
import { seekingOf } from './run-kind.js';
import { SingleFetchesService, type Fetched } from './single-fetches.service.js';

/** Maximum number of calls at a time. */
const AT_ONCE = 8;
/**
 * A notified sale that is not found is stored as a problem of this many days ago, so that the next
 * daily run forgets it.
 */
const DAYS_TOLD = 7;

interface FailedRead {
  readonly read: UpstreamRead;
  readonly reason: unknown;
}

/** Reads single records that wait to be read. */
@Injectable()
export class WaitingReadsService {
  constructor(
    private readonly turns: UpstreamTurnsService,
    private readonly fetches: SingleFetchesService,
    private readonly sales: MirroredSalesService,
    private readonly details: MirroredDetailsService,
    private readonly records: MirroredRecordsService,
  ) {}

  /**
   * Reads some of the due records. A record that cannot be read is reported as a problem and tried
   * again later.
   * @returns false if no read is due
   * @throws UpstreamError if the upstream cannot be reached
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async readSome(turn: MirrorTurn, kinds: readonly ReadKind[], now = new Date()): Promise<boolean> {
    const due = { kinds, now: dateTimeOf(now) };
    const reads = await this.turns.reads(turn.upstream, due, AT_ONCE);
    const outcomes = await Promise.allSettled(reads.map((read) => this.fetches.fetch(turn, read)));
    const fetched: Fetched[] = [];
    const failed: FailedRead[] = [];
    for (const [index, read] of reads.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') {
        if (outcome.value === null) await this.drop(turn, read);
        else fetched.push(outcome.value);
      } else failed.push({ read, reason: outcome?.reason });
    }
    await this.store(turn, fetched);
    await this.putOffFailed(turn, failed);
    return reads.length > 0;
  }

  /**
   * Postpones reads that failed for their record alone, so that a record that the upstream cannot
   * show does not delay others.
   * @throws UpstreamError if the upstream cannot be reached
   */
  private async putOffFailed(turn: MirrorTurn, failed: readonly FailedRead[]): Promise<void> {
    for (const { read, reason } of failed) {
      if (isOfOneRecord(reason)) await this.putOff(turn, read, reason);
    }
    const others = failed.filter(({ reason }) => !isOfOneRecord(reason));
    if (others.length === 0) return;
    for (const { reason } of others) {
      if (isError(reason) && !isPerhapsOfOneRecord(reason)) throw reason;
    }
    await turn.checkReachable();
    for (const { read, reason } of others) {
      if (isPerhapsOfOneRecord(reason)) await this.putOff(turn, read, reason);
    }
  }

  private async store(turn: MirrorTurn, fetched: readonly Fetched[]): Promise<void> {
    for (const each of fetched) {
      if (each.kind !== 'sale') continue;
      await this.sales.store(turn, [each.sale], { kind: 'notified', done: [each.read] });
    }
    const lines = fetched.flatMap((each) => (each.kind === 'line' ? [each] : []));
    if (lines.length > 0) {
      const done = lines.map(({ read }) => read);
      await this.records.store(
        turn,
        lines.map(({ line }) => line),
        done,
      );
    }
    const details = fetched.flatMap((each) => (each.kind === 'line' ? [] : (each.detail ?? [])));
    if (details.length === 0) return;
    this.fetches.remember(turn, details, await this.details.store(turn, details));
    for (const { read, unread } of details) {
      if (unread === null) continue;
      const text = `recurring payment of sale ${read.record_key}: ${unread}`;
      turn.note({ subject: subjectOfRead(read), kind: 'recurring payment not read', text });
      await turn.postpone(read);
    }
  }

  /** Ends a read whose record the upstream does not have. The stored record is kept. */
  private drop(turn: MirrorTurn, read: UpstreamRead): Promise<void> {
    const { kind, record_key } = read;
    if (kind === 'notified') return this.seek(turn, read);
    const subject = subjectOfRead(read);
    if (kind === 'detail') {
      const text = `the upstream has no details of sale ${record_key}`;
      turn.note({ subject, kind: 'details not found', text });
    } else if (kind === 'sought') {
      const text = `the upstream has no sale ${record_key}, which a notification named`;
      // A run of the last 90 days forgets this problem; a shorter run does not.
      const day = daysAfter(dayOf(dateTimeOf(new Date())), -DAYS_TOLD);
      turn.note({ subject, kind: 'notified sale not found', text, day });
    } else if (kind === 'payment') {
      const text = `the upstream has no recurring payment ${record_key}, which is kept`;
      turn.note({ subject, kind: 'recurring payment not found', text });
    }
    return turn.write(() => Promise.resolve({ done: [read] }));
  }

  /**
   * Requests a run that may find an unknown sale. The sale itself is requested again after that
   * run.
   */
  private seek(turn: MirrorTurn, read: UpstreamRead): Promise<void> {
    return turn.write((_, upstream) => {
      const now = new Date();
      const seek_run = seekingOf(upstream, now);
      const { record_key } = read;
      const sought = { kind: 'sought', record_key, sale_date: dateTimeOf(now) } as const;
      const added = [{ ...sought, next_try: seek_run }];
      return Promise.resolve({ upstream: { seek_run }, done: [read], added });
    });
  }

  private async putOff(turn: MirrorTurn, read: UpstreamRead, error: UpstreamError): Promise<void> {
    const subject = subjectOfRead(read);
    const text = `${subject}: ${error.message}`;
    turn.note({ subject, kind: `${read.kind} not read`, text });
    await turn.postpone(read);
  }
}
