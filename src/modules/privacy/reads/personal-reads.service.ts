import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../../platform/values/time.js';
import {
  KEPT_DAYS,
  type KeptReads,
  type ReadPosition,
  type ReadsCriteria,
} from './personal-read.model.js';
import { AccountsRepository, ApiApplicationsService } from '../../accounts/index.js';
import { PersonalReadsRepository } from './personal-reads.repository.js';
import { JobLoop } from '../../../platform/jobs/job-loop.js';

/**
 * Maximum number of rows that one statement reads. A row can have hundreds of keys. MAX_LOOKED_AT
 * is the maximum for one page.
 */
const LOOKED_AT_ONCE = 200;
const MAX_LOOKED_AT = 5_000;
/** A transaction that deletes this many rows is short. */
const DELETED_AT_ONCE = 1_000;

/** Contains the names of the users and applications that read, by id. */
export interface Readers {
  readonly vendor_id: number;
  readonly users: ReadonlyMap<number, string>;
  /** Applications of the vendor. */
  readonly applications: ReadonlyMap<number, string>;
}

/** Reads and deletes the kept reads of personal data. */
@Injectable()
export class PersonalReadsService {
  constructor(
    private readonly repository: PersonalReadsRepository,
    private readonly accounts: AccountsRepository,
    private readonly applications: ApiApplicationsService,
  ) {}

  /**
   * Returns a page of reads, newest first.
   * @param before position where the page begins; null for the newest reads
   */
  async page(criteria: ReadsCriteria, before: ReadPosition | null, limit: number) {
    const reads = [];
    let position = before;
    for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += LOOKED_AT_ONCE) {
      const rows = await this.repository.lookBefore(criteria, position, LOOKED_AT_ONCE);
      for (const { is_match, ...row } of rows) {
        if (reads.length === limit) return { reads, next: position };
        position = row;
        if (is_match === 1) reads.push(row);
      }
      if (rows.length < LOOKED_AT_ONCE) return { reads, next: null };
    }
    return { reads, next: position };
  }

  /** Returns the names of those who read a vendor's data. */
  async readersOf(vendor_id: number, reads: readonly KeptReads[]): Promise<Readers> {
    const users = await this.accounts.usersByIds([...new Set(reads.map(({ user_id }) => user_id))]);
    const applications = await this.applications.applicationsOf(vendor_id);
    return {
      vendor_id,
      users: new Map(users.map(({ id, display_name, name }) => [id, display_name ?? name])),
      applications: new Map(applications.map(({ id, name }) => [id, name])),
    };
  }

  /** Deletes reads older than 90 days, in batches. @returns the number of deleted rows */
  async deleteExpired(now: Date, signal: AbortSignal): Promise<number> {
    const olderThan = dateTimeOf(new Date(now.getTime() - KEPT_DAYS * DAY_MS));
    let deleted = 0;
    let vendor = await this.repository.vendorAfter(-1);
    while (vendor !== null && !signal.aborted) {
      const some = await this.repository.deleteOldest(vendor, olderThan, DELETED_AT_ONCE);
      deleted += some;
      if (some === 0) vendor = await this.repository.vendorAfter(vendor);
    }
    return deleted;
  }
}

const HOUR_MS = 3_600_000;

/** Deletes expired reads every hour. Several instances may do so at the same time. */
@Injectable()
export class PersonalReadsCleanup extends JobLoop {
  constructor(private readonly reads: PersonalReadsService) {
    super('Reads of personal data could not be deleted', HOUR_MS);
  }

  protected run(signal: AbortSignal): Promise<number> {
    return this.reads.deleteExpired(new Date(), signal);
  }
}
