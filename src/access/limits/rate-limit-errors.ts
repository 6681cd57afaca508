import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { secondsToWait, type LimitResult } from './store/limit-store.js';

/**
 * Whose limit it was: that of a key's application, of a user over all, of what a user may have under
 * way, of an address, of an address with wrong keys, of an address or e-mail that tried to sign in, or
 * of all who did.
 */
type LimitKind =
  'key' | 'user' | 'at_once' | 'address' | 'failed_keys' | 'sign_ins' | 'all_sign_ins';

const WHY: Readonly<Record<LimitKind, string>> = {
  key: 'This API application has used up its limit.',
  user: 'This user has used up the limit of all its API applications and pages.',
  at_once: 'Too many requests of this user are under way.',
  address: 'Your address has used up its limit.',
  failed_keys: 'Too many requests without a valid key came from your address.',
  sign_ins: 'Too many tries to sign in.',
  all_sign_ins: 'Too many people sign in at once.',
};

/** Makes the answers 429, and counts them. */
@Injectable()
export class RateLimitErrors {
  readonly counts: Record<LimitKind, number> = {
    ...{ key: 0, user: 0, at_once: 0, address: 0 },
    ...{ failed_keys: 0, sign_ins: 0, all_sign_ins: 0 },
  };

  /** @returns the answer 429, with a Retry-After after which the next request is taken */
  of(kind: LimitKind, taken: LimitResult): ApiError {
    return this.after(kind, secondsToWait(taken));
  }

  after(kind: LimitKind, seconds: number): ApiError {
    this.counts[kind] += 1;
    return new ApiError('too_many_requests', `${WHY[kind]} Wait ${seconds} s.`, {
      'Retry-After': String(seconds),
    });
  }
}

/** For a client that no answer reaches. */
export function hungUp(): ApiError {
  return new ApiError('too_many_requests', 'You hung up.');
}
