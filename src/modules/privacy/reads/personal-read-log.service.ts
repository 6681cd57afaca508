import { randomBytes } from 'node:crypto';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../../../platform/errors/describe-error.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import type { NewRead, PersonalReads } from '../../../api/access/personal-reads.js';
import { PRIVACY } from '../privacy.feature.js';
import { WRITER_LENGTH } from './personal-read.entity.js';
import { PersonalReadsRepository } from './personal-reads.repository.js';
import { WaitingReads } from './waiting-reads.js';

/** The reads of a second are written when it is over. */
const WRITE_MS = 1_000;
/** Maximum number of rows in one statement and one transaction. */
const BATCH = 100;
/**
 * This memory holds about 500,000 reads while the database is unavailable. Further reads are
 * counted and lost.
 */
const MAX_WAITING_CHARACTERS = 10_000_000;

const UNSTATED = { record_key: null, first_day: null, last_day: null, records: null } as const;

/**
 * Records who reads personal data. A read waits in memory for about a second, so it delays no
 * request. If a process is killed, the reads of its last second are lost (see
 * `docs/adr/0034-personal-data-ends.md`).
 */
@Injectable()
export class PersonalReadLog implements PersonalReads, BeforeApplicationShutdown {
  /** False if reads are not recorded. */
  readonly isOn: boolean;
  /** Numbers of reads that were written and that were lost. */
  readonly counts = { kept: 0, lost: 0 };
  private readonly logger = new Logger('PersonalReads');
  private readonly waiting = new WaitingReads(
    randomBytes(WRITER_LENGTH / 2).toString('hex'),
    MAX_WAITING_CHARACTERS,
  );
  private second = 0;
  private read_at = '';
  private next: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;

  constructor(
    private readonly repository: PersonalReadsRepository,
    settings: Settings,
    metrics: Metrics,
  ) {
    this.isOn = valueOf(settings, PRIVACY.settings.personalDataReads);
    const help = 'Reads of personal data that were written, and that could not be.';
    metrics.counter('personal_data_reads_total', help, 'event', () => this.counts);
  }

  add(read: NewRead): void {
    if (!this.isOn) return;
    if (!this.waiting.add({ ...UNSTATED, ...read }, this.now())) this.lose(1);
    this.next ??= setTimeout(() => void this.flush(), WRITE_MS).unref();
  }

  /** Writes the waiting reads. Reads that cannot be written keep waiting. */
  flush(): Promise<void> {
    clearTimeout(this.next);
    this.next = undefined;
    this.writing = this.writing.then(() => this.writeWaiting());
    return this.writing;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
    clearTimeout(this.next);
    this.lose(this.waiting.times);
  }

  /** Returns the current time as text, which is formatted once a second. */
  private now(): string {
    const now = Date.now();
    const second = Math.floor(now / 1_000);
    if (second !== this.second) this.read_at = dateTimeOf(new Date(now));
    this.second = second;
    return this.read_at;
  }

  private async writeWaiting(): Promise<void> {
    try {
      while (!this.waiting.isEmpty) {
        const rows = this.waiting.oldest(BATCH);
        await this.repository.add(rows);
        this.waiting.remove(rows.length);
        this.counts.kept += rows.reduce((sum, { times }) => sum + times, 0);
        this.hasFailed = false;
      }
    } catch (error) {
      this.report(error);
      this.next ??= setTimeout(() => void this.flush(), WRITE_MS).unref();
    }
  }

  private lose(reads: number): void {
    if (reads === 0) return;
    if (this.counts.lost === 0) {
      const message = 'Reads of personal data could not be written and are lost';
      this.logger.error(`${message}: personal_data_reads_total counts them.`);
    }
    this.counts.lost += reads;
  }

  /** Logs an outage of the database once, not at each attempt. */
  private report(error: unknown): void {
    if (!this.hasFailed) {
      const message = 'Reads of personal data could not be written yet';
      this.logger.error({ message, ...describeError(error) });
    }
    this.hasFailed = true;
  }
}
