import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { SharedRoom } from '../../../common/shared-room.js';
import { Settings } from '../../../config/settings.js';

/** An account has half of them at most. Readers need connections, too. */
const MAX_WRITERS = 4;
const MIN_WRITERS = 2;
const CONNECTIONS_OF_EACH = 2;
/** So many requests of an account may wait; their records are on disk meanwhile. */
const MAX_WAITING = 1_000;
/** Shorter than typical client timeouts. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';
/** An account that has written is expected to write again within this time. */
const EXPECTED_MS = 10_000;

/** Lets few requests write records at a time, and each of them a batch, before it is the turn of others. */
@Injectable()
export class WriteTurns {
  private readonly places: SharedRoom;
  private lastAccount: number | undefined;
  private changedAt = -Infinity;

  constructor({ database, databaseConnections }: Settings) {
    // SQLite writes for one at a time, and an account with two writers would have two turns out of three.
    const connections = database.dialect === 'sqlite' ? 1 : databaseConnections;
    const fitting = Math.floor(connections / CONNECTIONS_OF_EACH);
    this.places = new SharedRoom({
      size: Math.max(MIN_WRITERS, Math.min(MAX_WRITERS, fitting)),
      waitMs: MAX_WAIT_MS,
      maxWaiting: MAX_WAITING,
      refusal: tooManyWriters,
    });
  }

  /** Whether several accounts write, so that a long batch of one would keep another waiting. */
  get areSeveral(): boolean {
    return performance.now() - this.changedAt < EXPECTED_MS;
  }

  /** @throws ApiError too_many_requests if the wait takes too long; then `work` was not begun */
  first<Result>(account: number, work: () => Promise<Result>): Promise<Result> {
    if (account !== (this.lastAccount ?? account)) this.changedAt = performance.now();
    this.lastAccount = account;
    return this.places.during(account, 1, work);
  }

  /** Gives the next turn to a request that has written something: it waits for as long as it takes. */
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
