import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database, type Session } from '../../../database/database.js';
import { CancelClaimsRepository } from './cancel-claims.repository.js';
import type { CancelRequester, CancelTurn, OpenCancel } from './recurring-cancel.model.js';

/**
 * Longer than all tries at the processor together (16 s), so the owner of an expired claim is gone.
 * Shorter than the 30 s after which proxies, and the service itself, close an idle connection.
 */
const CLAIM_MS = 22_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 3_600_000;

/** Decides who sends a cancel to the processor: one caller at a time, across all instances. */
@Injectable()
export class CancelClaimsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CancelClaimsRepository,
  ) {}

  /**
   * Claims a cancel for a caller, unless another caller holds the claim.
   * @param hasWaited true if the caller has seen another's claim before
   * @returns `waits` if that other's try ended with an unknown outcome
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

  /** Claims a cancel whose next try is due. @returns null if another process was first */
  takeDue(pre_key: string, claim: string): Promise<CancelTurn | null> {
    return this.database.writeIdempotent(async (session) => {
      const now = Date.now();
      const found = await this.repository.locked(session, pre_key);
      if (found === null) return null;
      if (found.claim !== claim && (isHeld(found, now) || isPaused(found, now))) return null;
      return this.hold(session, { ...found, claim }, now);
    });
  }

  /** Returns a turn whose outcome is unknown: the cancel is sent again later. */
  async pause({ pre_key, claim }: CancelTurn): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, pre_key);
      if (found?.claim !== claim) return;
      const now = Date.now();
      const ends = dateTimeOf(new Date(now));
      // Retried after a commit with unknown outcome, this finds its own change.
      if (isPaused(found, now)) return;
      const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** found.tries);
      const next_try = dateTimeOf(new Date(now + pause));
      await this.repository.change(session, { ...found, ends, tries: found.tries + 1, next_try });
    });
  }

  /** Ends the cancel: nothing more is sent. */
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
    // Empty if an instance of the previous version claimed it and then failed.
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
