import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { SharedRoom } from '../../../platform/limits/memory/shared-room.js';
import { Settings } from '../../../config/settings.js';

/**
 * At most this many requests write at a time, and an account has at most half of them. Other
 * requests need database connections, too.
 */
const MAX_WRITERS = 4;
const MIN_WRITERS = 2;
const CONNECTIONS_OF_EACH = 2;
/** At most this many requests of an account may wait; their records are on disk meanwhile. */
const MAX_WAITING = 1_000;
/** The wait is shorter than typical timeouts of clients. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';
/** An account that has written is expected to write again within this time. */
const EXPECTED_MS = 10_000;

/** Lets few requests write records at a time. Each writes one batch, and then lets others write. */
@Injectable()
export class WriteTurns {
  private readonly places: SharedRoom;
  private lastAccount: number | undefined;
  private changedAt = -Infinity;

  constructor({ database, databaseConnections }: Settings) {
    // SQLite has one writer at a time, and an account with two writers would get two turns out of
    // three.
    const connections = database.dialect === 'sqlite' ? 1 : databaseConnections;
    const fitting = Math.floor(connections / CONNECTIONS_OF_EACH);
    this.places = new SharedRoom({
      size: Math.max(MIN_WRITERS, Math.min(MAX_WRITERS, fitting)),
      waitMs: MAX_WAIT_MS,
      maxWaiting: MAX_WAITING,
      refusal: tooManyWriters,
    });
  }

  /** True if several accounts write, so that a long batch of one would keep another waiting. */
  get areSeveral(): boolean {
    return performance.now() - this.changedAt < EXPECTED_MS;
  }

  /**
   * Gives a request its first turn.
   * @throws ApiError `too_many_requests` if the wait takes too long; then `work` was not started
   */
  first<Result>(account: number, work: () => Promise<Result>): Promise<Result> {
    if (account !== (this.lastAccount ?? account)) this.changedAt = performance.now();
    this.lastAccount = account;
    return this.places.during(account, 1, work);
  }

  /** Gives the next turn to a request that has written a batch. This wait has no time limit. */
  next<Result>(account: number, work: () => Promise<Result>): Promise<Result> {
    return this.places.during(account, 1, work, { waitMs: Infinity });
  }
}

function tooManyWriters(): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many requests write records. Nothing was written: send these again.',
    { 'Retry-After': RETRY_AFTER_SECONDS },
  );
}
