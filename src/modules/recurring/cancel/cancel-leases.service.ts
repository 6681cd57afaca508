import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeIn, dateTimeOf } from '../../../platform/values/time.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { isFree, Leases } from '../../../platform/jobs/lease.js';
import { pauseAfter } from '../../../platform/jobs/job-queue.js';
import {
  CancelLeasesRepository,
  type CancelRequester,
  type OpenCancel,
} from './cancel-leases.repository.js';

/**
 * A lease on a cancellation ends after this time. All attempts at the processor together take at
 * most 16 s, so the holder of an expired lease is gone. It is shorter than the 30 s after which
 * proxies, and the service itself, close an idle connection.
 */
const LEASE_MS = 22_000;

/** Represents the lease to send a cancellation to the processor. */
export interface CancelTurn extends Pick<OpenCancel, 'pre_key' | 'claim' | 'idempotency_key'> {
  /** False if the cancellation was sent before, with an unknown outcome. */
  readonly isFirst: boolean;
}

/**
 * Decides who sends a cancellation to the processor: one caller at a time, across all instances.
 */
@Injectable()
export class CancelLeasesService {
  private readonly leases: Leases<string, OpenCancel>;

  constructor(
    private readonly database: Database,
    private readonly repository: CancelLeasesRepository,
  ) {
    this.leases = new Leases(database, repository, LEASE_MS);
  }

  /**
   * Takes the lease on a cancellation for a caller, unless another caller holds it.
   * @param hasWaited true if the caller has already found the lease held by another caller
   * @returns `waits` if the attempt of that other caller ended with an unknown outcome
   */
  take(
    pre_key: string,
    claim: string,
    by: CancelRequester,
    hasWaited: boolean,
  ): Promise<CancelTurn | "another's" | 'waits'> {
    let isFirst = false;
    return this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, pre_key);
      if (found === null) {
        isFirst = true;
        return this.begin(session, pre_key, claim, by);
      }
      if (found.claim !== claim) {
        isFirst = false;
        if (!isFree(found)) return "another's";
        if (hasWaited && isPaused(found)) return 'waits';
      }
      const { user_id, application_id } = by;
      const changes = { ...begun(found), user_id, application_id, ...this.leases.lasting(claim) };
      await this.repository.change(session, pre_key, changes);
      return { ...found, ...changes, isFirst };
    });
  }

  /**
   * Takes the lease on a cancellation whose next attempt is due.
   * @returns null if another process was first
   */
  async takeDue(pre_key: string): Promise<CancelTurn | null> {
    const cancel = await this.leases.take(pre_key, (found) => !isPaused(found), begun);
    return cancel === null ? null : { ...cancel, isFirst: false };
  }

  /** Gives up the lease after an unknown outcome, and schedules the next attempt. */
  async pause({ pre_key, claim }: CancelTurn): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const found = await this.leases.held(session, pre_key, claim);
      // If this runs again after a commit with an unknown outcome, it finds its own change.
      if (found === null || isPaused(found)) return;
      const now = Date.now();
      await this.repository.change(session, pre_key, {
        claim_ends: dateTimeOf(new Date(now)),
        tries: found.tries + 1,
        next_try: dateTimeOf(new Date(now + pauseAfter(found.tries))),
      });
    });
  }

  /** Ends the cancellation. Nothing more is sent. */
  drop({ pre_key, claim }: CancelTurn): Promise<void> {
    return this.database.writeIdempotent((session) =>
      this.repository.drop(session, pre_key, claim),
    );
  }

  private async begin(
    session: Session,
    pre_key: string,
    claim: string,
    { user_id, application_id }: CancelRequester,
  ): Promise<CancelTurn> {
    const idempotency_key = randomUUID();
    await this.repository.add(session, {
      pre_key,
      ...this.leases.lasting(claim),
      idempotency_key,
      user_id,
      application_id,
      asked: dateTimeIn(0),
      tries: 0,
      next_try: null,
    });
    return { pre_key, claim, idempotency_key, isFirst: true };
  }
}

/** Returns the columns that change when an attempt begins. */
function begun({ idempotency_key }: OpenCancel) {
  // The key is empty if an instance of an earlier version took the lease and then failed.
  return { idempotency_key: idempotency_key || randomUUID(), next_try: null };
}

function isPaused({ next_try }: OpenCancel): boolean {
  return next_try !== null && next_try > dateTimeIn(0);
}
