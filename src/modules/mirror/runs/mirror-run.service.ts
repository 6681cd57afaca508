import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { daysAfter } from '../../../common/time.js';
import { faultOfOneRecord, UpstreamError } from '../../upstreams/client/upstream-error.model.js';
import type { RunKind } from '../../upstreams/upstream.model.js';
import { productLine } from '../convert/other-lines.js';
import { MirroredRecordsService } from '../records/mirrored-records.service.js';
import { ListRangeService } from './list-range.service.js';
import { ListSurveyService } from './list-survey.service.js';
import type { MirrorTurn } from './mirror-turn.js';
import { PaymentRoundsService } from './payment-rounds.service.js';
import { begun, dueRun, finished, sought } from './run-kind.js';
import { WaitingReadsService } from './waiting-reads.service.js';

/** Number of products written at a time. */
const PRODUCTS_AT_ONCE = 100;
/** Problems with the names of products have this subject. */
const NAMES = 'names of products';

/**
 * Performs the steps of reading from an upstream. Each step is written when it is done, so a run
 * continues where it stopped.
 */
@Injectable()
export class MirrorRunService {
  constructor(
    private readonly survey: ListSurveyService,
    private readonly ranges: ListRangeService,
    private readonly waiting: WaitingReadsService,
    private readonly payments: PaymentRoundsService,
    private readonly records: MirroredRecordsService,
  ) {}

  /**
   * Performs the next step: notified sales, then the list, then records that are read one by one,
   * to which subscriptions are added once a day.
   * @returns false if there is nothing to do now
   * @throws UpstreamError if the upstream cannot be read
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async step(turn: MirrorTurn): Promise<boolean> {
    if (await this.waiting.readSome(turn, ['notified'])) return true;
    const { run } = turn.upstream;
    if (run !== null) {
      await this.goOn(turn, run);
      return true;
    }
    const now = new Date();
    const due = dueRun(turn.upstream, now);
    if (due !== null) {
      await turn.write((_, upstream) =>
        Promise.resolve({ upstream: { ...begun(due, now), ...sought(upstream, now) } }),
      );
      return true;
    }
    if (await this.payments.goOn(turn, now)) return true;
    // This read uses the time of the check above, so that no sale is requested again before the run
    // that may find it.
    return this.waiting.readSome(turn, ['sought', 'detail', 'payment', 'relationship'], now);
  }

  private async goOn(turn: MirrorTurn, run: RunKind): Promise<void> {
    const { first_day, last_day, next_day } = turn.upstream;
    if (first_day === null || last_day === null) return this.survey.days(turn);
    if (next_day === last_day) await this.readProducts(turn);
    if (next_day !== null && next_day >= first_day) {
      const read = await this.ranges.readLast(turn, { first_day, last_day: next_day }, run);
      const before = daysAfter(read, -1);
      await turn.write(() => Promise.resolve({ upstream: { next_day: before } }));
      return;
    }
    await this.finish(turn);
  }

  /**
   * Reads the names of products. A run continues if they cannot be read, because sales name their
   * products, too.
   */
  private async readProducts(turn: MirrorTurn): Promise<void> {
    const answer = await turn.get('/v2.1/products/names').catch(faultOfOneRecord);
    if (answer === null) throw new UpstreamError('odd', 'the upstream has no version 2.1');
    if (answer instanceof UpstreamError) {
      const text = `the names of products: ${answer.message}`;
      turn.note({ subject: NAMES, kind: 'names of products not read', text });
      return;
    }
    await turn.write(() => Promise.resolve({ problems: { checked: [NAMES], found: [] } }));
    const { vendor_id } = turn.upstream;
    const { results } = answer;
    for (let at = 0; at < results.length; at += PRODUCTS_AT_ONCE) {
      const some = results.slice(at, at + PRODUCTS_AT_ONCE);
      await this.records.store(
        turn,
        some.map((item) => productLine(item, vendor_id)),
      );
      // On SQLite, writes do not yield to other requests.
      await setImmediate();
    }
  }

  private finish(turn: MirrorTurn): Promise<void> {
    return turn.write((_, upstream) =>
      Promise.resolve({ upstream: finished(upstream), ended: upstream }),
    );
  }
}
