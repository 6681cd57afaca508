import { randomBytes } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { NewRead, PersonalReads } from '../../../api/access/personal-reads.js';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { describeError } from '../../../platform/errors/describe-error.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { OPERATION_LENGTH, WRITER_LENGTH } from '../privacy.entity.js';
import { PRIVACY } from '../privacy.feature.js';
import { type KeptReads, type PersonalRead, textOfKeys } from './personal-read.model.js';
import { PersonalReadsRepository } from './personal-reads.repository.js';

/**
 * Maximum length of the keys of a row, in characters. ROW is about the size of the rest of a row.
 */
const MAX_KEYS = 15_000;
const ROW = 200;

/** A group has the reads of one second, caller and operation. */
interface Group {
  readonly first: Omit<PersonalRead, 'record_key' | 'records'>;
  /** Keys of the records, or null for a list. */
  readonly keys: Set<string> | null;
  readonly read_at: string;
  readonly number: number;
  characters: number;
  records: number | null;
  times: number;
}

/**
 * Holds reads that are not written yet, in bounded memory. One row for each read would be costly,
 * so the reads of one second, caller and operation share a row (see
 * `docs/adr/0034-personal-data-ends.md`).
 */
export class WaitingReads {
  private groups: Group[] = [];
  private readonly ofSecond = new Map<string, Group>();
  private read_at = '';
  private lastNumber = 0;
  private characters = 0;

  /**
   * @param writer name of the process in the rows
   * @param maxCharacters maximum memory for reads, in characters
   */
  constructor(
    private readonly writer: string,
    private readonly maxCharacters: number,
  ) {}

  get isEmpty(): boolean {
    return this.groups.length === 0;
  }

  /** Number of waiting reads. */
  get times(): number {
    return this.groups.reduce((sum, { times }) => sum + times, 0);
  }

  /**
   * Adds a read.
   * @param read_at time of the read, in UTC
   * @returns false if there is no memory left for it
   */
  add(read: PersonalRead, read_at: string): boolean {
    if (this.characters >= this.maxCharacters) return false;
    if (read_at !== this.read_at) this.ofSecond.clear();
    this.read_at = read_at;
    const group = this.groupOf(read);
    group.times += 1;
    if (group.keys === null) group.records = sumOf(group.records, read.records);
    else this.addKey(group, group.keys, read.record_key ?? '');
    return true;
  }

  /** Returns the oldest rows to write. They no longer change, and stay here until `remove`. */
  oldest(most: number): KeptReads[] {
    this.ofSecond.clear();
    return this.groups.slice(0, most).map(({ first, keys, read_at, number, records, times }) => {
      const record_keys = keys === null ? null : textOfKeys(keys);
      return { ...first, record_keys, records, read_at, writer: this.writer, number, times };
    });
  }

  remove(oldest: number): void {
    for (const { characters } of this.groups.splice(0, oldest)) this.characters -= characters;
  }

  private groupOf(read: PersonalRead): Group {
    const name = nameOf(read);
    const found = this.ofSecond.get(name);
    if (found !== undefined && found.characters < MAX_KEYS) return found;
    const { vendor_id, user_id, application_id, operation, first_day, last_day } = read;
    const first = { vendor_id, user_id, application_id, operation, first_day, last_day };
    this.lastNumber += 1;
    const group: Group = {
      first,
      read_at: this.read_at,
      number: this.lastNumber,
      keys: read.record_key === null ? null : new Set(),
      records: 0,
      characters: ROW,
      times: 0,
    };
    this.characters += ROW;
    this.ofSecond.set(name, group);
    this.groups.push(group);
    return group;
  }

  private addKey(group: Group, keys: Set<string>, key: string): void {
    keys.add(key);
    if (keys.size === group.records) return;
    group.records = keys.size;
    group.characters += key.length + 1;
    this.characters += key.length + 1;
  }
}

function sumOf(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

/** Returns a name that is the same for all reads of one row. */
function nameOf(read: PersonalRead): string {
  const { vendor_id, user_id, application_id, operation, record_key } = read;
  const who = `${operation} ${vendor_id} ${user_id} ${application_id}`;
  return record_key === null ? `${who} ${read.first_day} ${read.last_day}` : who;
}

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
    const operation = read.operation.slice(0, OPERATION_LENGTH);
    if (!this.waiting.add({ ...UNSTATED, ...read, operation }, this.now())) this.lose(1);
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
