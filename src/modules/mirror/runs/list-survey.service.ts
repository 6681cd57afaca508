import { Injectable } from '@nestjs/common';
import {
  dateTimeOf,
  dayOf,
  daysAfter,
  isCalendarDay,
  parseDateTime,
} from '../../../common/time.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { pathPart } from '../../upstreams/client/path-part.model.js';
import {
  anotherThing,
  isPerhapsOfOneRecord,
  UpstreamError,
} from '../../upstreams/client/upstream-error.model.js';
import { objectOf } from '../../upstreams/convert/known.model.js';
import { idIn, transactionIdIn } from '../../upstreams/convert/sent-fields.model.js';
import { ListRangeService } from './list-range.service.js';
import type { MirrorTurn } from './mirror-turn.js';
import { surveyed } from './run-kind.js';

/** A full run begins on this day if the dates of the upstream do not show its first sale. */
const EARLIEST_DAY = '2000-01-01';

/**
 * Determines the days that a full run has to read, and checks that the sales belong to the vendor.
 */
@Injectable()
export class ListSurveyService {
  constructor(private readonly ranges: ListRangeService) {}

  /**
   * Sets the days of a full run. The feed of version 2.0 should begin with the oldest sale. A count
   * of the list of version 3.0 checks this, because some feeds cover only some days or have
   * unreadable dates.
   * @throws UpstreamError if the upstream cannot be read, or shows another vendor's sale
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async days(turn: MirrorTurn): Promise<void> {
    const answer = await turn.get('/v2.0/latest-transactions');
    if (answer === null) throw new UpstreamError('odd', 'the upstream has no version 2.0');
    const sales = answer.results.map(objectOf);
    await this.checkOwner(turn, sales);
    const now = new Date();
    const days = sales.map(({ date }) => dayIn(date));
    const [oldest = dayOf(dateTimeOf(now))] = days.filter((day) => day !== null).sort();
    const first_day = oldest <= EARLIEST_DAY ? oldest : await this.firstDayBefore(turn, oldest);
    await turn.write(() => Promise.resolve({ upstream: surveyed(first_day, now) }));
  }

  private async firstDayBefore(turn: MirrorTurn, day: string): Promise<string> {
    const before = { first_day: EARLIEST_DAY, last_day: daysAfter(day, -1) };
    // Some upstreams reject such a long range. A fault of the list itself is detected when it is
    // read.
    const count = await this.ranges.count(turn, before).catch((error: unknown) => {
      if (isPerhapsOfOneRecord(error)) return 0;
      throw error;
    });
    return count > 0 ? EARLIEST_DAY : day;
  }

  /**
   * Checks the vendor of the sales. The lists do not name their vendor, so a key of another vendor
   * has to be detected before anything is written.
   */
  private async checkOwner(turn: MirrorTurn, sales: readonly WrittenRecord[]): Promise<void> {
    const [id] = sales.flatMap((sale) => transactionIdIn(sale) ?? []);
    if (id === undefined) return;
    // A single sale with faulty details must not end the run.
    const path = `/v2.1/transaction/details/${pathPart(id)}`;
    const found = await turn.getOne(path).catch((error: unknown) => {
      if (isPerhapsOfOneRecord(error)) return null;
      throw error;
    });
    const vendor_id = idIn(objectOf(found).vendor_id);
    if (vendor_id !== null && vendor_id !== turn.upstream.vendor_id) {
      throw anotherThing("vendor's sale");
    }
  }
}

/**
 * Returns the day of a date in UTC, or the day before it if the date has no offset.
 * @returns null if it cannot be read
 */
function dayIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const dateTime = parseDateTime(value);
  if (dateTime !== null) return dayOf(dateTime);
  const day = value.slice(0, 10);
  return isCalendarDay(day) && day > EARLIEST_DAY ? daysAfter(day, -1) : null;
}
