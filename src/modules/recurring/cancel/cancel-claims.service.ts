import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database, type Session } from '../../../database/database.js';
import { CancelClaimsRepository } from './cancel-claims.repository.js';
import type { CancelRequester, CancelTurn, OpenCancel } from './recurring-cancel.model.js';

/**
 * A lease on a cancellation ends after this time. All attempts at the processor together take at
 * most 16 s, so the holder of an expired lease is gone. It is shorter than the 30 s after which
 * proxies, and the service itself, close an idle connection.
 */
const CLAIM_MS = 22_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 3_600_000;

/**
 * Decides who sends a cancellation to the processor: one caller at a time, across all instances.
 */
@Injectable()
export class CancelClaimsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CancelClaimsRepository,
  ) {}

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
      const now = Date.now();
      const found = await this.repository.locked(session, pre_key);
      if (found === null) {
        isFirst = true;
        return this.begin(session, { pre_key, claim, by, now });
      }
      if (found.claim !== claim) {
        isFirst = false;
        if (isHeld(found, now)) return "another's";
        if (hasWaited && isPaused(found, now)) return 'waits';
      }
      const { user_id, application_id } = by;
      const turn = await this.hold(session, { ...found, claim, user_id, application_id }, now);
      return { ...turn, isFirst };
    });
  }

  /**
   * Takes the lease on a cancellation whose next attempt is due.
   * @returns null if another process was first
   */
  takeDue(pre_key: string, claim: string): Promise<CancelTurn | null> {
    return this.database.writeIdempotent(async (session) => {
      const now = Date.now();
      const found = await this.repository.locked(session, pre_key);
      if (found === null) return null;
      if (found.claim !== claim && (isHeld(found, now) || isPaused(found, now))) return null;
      return this.hold(session, { ...found, claim }, now);
    });
  }

  /** Gives up the lease after an unknown outcome, and schedules the next attempt. */
  async pause({ pre_key, claim }: CancelTurn): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, pre_key);
      if (found?.claim !== claim) return;
      const now = Date.now();
      const ends = dateTimeOf(new Date(now));
      // If this runs again after a commit with an unknown outcome, it finds its own change.
      if (isPaused(found, now)) return;
      const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** found.tries);
      const next_try = dateTimeOf(new Date(now + pause));
      await this.repository.change(session, { ...found, ends, tries: found.tries + 1, next_try });
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
    {
      pre_key,
      claim,
      by,
      now,
    }: { pre_key: string; claim: string; by: CancelRequester; now: number },
  ): Promise<CancelTurn> {
    const idempotency_key = randomUUID();
    await this.repository.add(session, {
      pre_key,
      claim,
      idempotency_key,
      ends: dateTimeOf(new Date(now + CLAIM_MS)),
      user_id: by.user_id,
      application_id: by.application_id,
      asked: dateTimeOf(new Date(now)),
      tries: 0,
      next_try: null,
    });
    return { pre_key, claim, idempotency_key, isFirst: true };
  }

  private async hold(session: Session, cancel: OpenCancel, now: number): Promise<CancelTurn> {
    const { pre_key, claim } = cancel;
    // It is empty if an instance of the previous version took the lease and then failed.
    const idempotency_key = cancel.idempotency_key || randomUUID();
    const ends = dateTimeOf(new Date(now + CLAIM_MS));
    await this.repository.change(session, { ...cancel, idempotency_key, ends, next_try: null });
    return { pre_key, claim, idempotency_key, isFirst: false };
  }
}

function isHeld({ ends }: OpenCancel, now: number): boolean {
  return ends > dateTimeOf(new Date(now));
}

function isPaused({ next_try }: OpenCancel, now: number): boolean {
  return next_try !== null && next_try > dateTimeOf(new Date(now));
}
