import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database, type Session } from '../../../database/database.js';
import { CancelClaimsRepository } from './cancel-claims.repository.js';
import type { CancelAsker, CancelTurn, OpenCancel } from './recurring-cancel.model.js';

/**
 * Longer than all tries at the processor together, 16 s: then whoever had the claim is gone. Less than
 * the 30 s for which a proxy waits, and the service itself keeps a silent connection.
 */
const CLAIM_MS = 22_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** Whose turn it is to tell the processor of a cancel; one at a time, over all instances. */
@Injectable()
export class CancelClaimsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CancelClaimsRepository,
  ) {}

  /**
   * Claims a cancel for who asks for it, unless another has claimed it.
   * @param hasWaited where the caller saw another at it before
   * @returns `waits` where that other has just found out that nobody knows what became of it
   */
  take(
    pre_key: string,
    claim: string,
    by: CancelAsker,
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

  /** Claims a cancel whose next try is due. @returns null where another was sooner */
  takeDue(pre_key: string, claim: string): Promise<CancelTurn | null> {
    return this.database.writeIdempotent(async (session) => {
      const now = Date.now();
      const found = await this.repository.locked(session, pre_key);
      if (found === null) return null;
      if (found.claim !== claim && (isHeld(found, now) || isPaused(found, now))) return null;
      return this.hold(session, { ...found, claim }, now);
    });
  }

  /** Gives a turn back: nobody knows what became of it, so it is told again later. */
  async pause({ pre_key, claim }: CancelTurn): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const found = await this.repository.locked(session, pre_key);
      if (found?.claim !== claim) return;
      const now = Date.now();
      const ends = dateTimeOf(new Date(now));
      // Begun anew, because nobody heard of the commit, it finds what it has written itself.
      if (isPaused(found, now)) return;
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** found.tries);
      const next_try = dateTimeOf(new Date(now + pause));
      await this.repository.change(session, { ...found, ends, tries: found.tries + 1, next_try });
    });
  }

  /** Ends the cancel: there is nothing more to tell. */
  drop({ pre_key, claim }: CancelTurn): Promise<void> {
    return this.database.writeIdempotent((session) =>
      this.repository.drop(session, pre_key, claim),
    );
  }

  private async begin(
    session: Session,
    { pre_key, claim, by, now }: { pre_key: string; claim: string; by: CancelAsker; now: number },
  ): Promise<CancelTurn> {
    const idempotency_key = randomUUID();
    await this.repository.add(session, {
      ...{ pre_key, claim, idempotency_key, ends: dateTimeOf(new Date(now + CLAIM_MS)) },
      ...{ user_id: by.user_id, application_id: by.application_id },
      ...{ asked: dateTimeOf(new Date(now)), tries: 0, next_try: null },
    });
    return { pre_key, claim, idempotency_key, isFirst: true };
  }

  private async hold(session: Session, cancel: OpenCancel, now: number): Promise<CancelTurn> {
    const { pre_key, claim } = cancel;
    // Empty where an instance of the version before has claimed it and was never heard of again.
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
