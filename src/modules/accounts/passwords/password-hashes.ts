import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { HashQueue, type HashLane, type HashRefusal } from './hash-queue.js';
import { HashThread, type HashJob, type HashResult } from './hash-thread.js';

const RETRY_SECONDS = 5;

/**
 * Hashes and compares passwords, one at a time in each process, so that hashing never uses more
 * than one core. Further callers wait for a while.
 */
@Injectable()
export class PasswordHashes implements OnApplicationShutdown {
  private readonly thread = new HashThread();
  private readonly queue = new HashQueue((reason) => this.refusal(reason));
  private readonly refused: Record<HashRefusal, number> = { queue_full: 0, waited_too_long: 0 };

  constructor(metrics: Metrics) {
    metrics.gauge(
      'password_hashes',
      'Passwords that are being hashed or waiting.',
      'state',
      () => ({
        working: this.queue.isWorking ? 1 : 0,
        waiting: this.queue.waiting,
      }),
    );
    metrics.counter(
      'password_hashes_refused_total',
      'Passwords that were not checked because too many others waited.',
      'reason',
      () => this.refused,
    );
  }

  /**
   * Returns the hash of a password in the form NFC, because keyboards compose accents in different
   * ways.
   * @throws ApiError too_many_requests if too many callers wait
   */
  async hashOf(password: string, lane: HashLane = 'account'): Promise<string> {
    const job = { password: password.normalize('NFC'), passwordHash: null };
    return String(await this.queued(job, lane));
  }

  /** @throws ApiError too_many_requests if too many callers wait */
  async isPassword(
    passwordHash: string,
    password: string,
    lane: HashLane = 'account',
  ): Promise<boolean> {
    for (const form of formsOf(password)) {
      if ((await this.queued({ password: form, passwordHash }, lane)) === true) return true;
    }
    return false;
  }

  /** Takes as long as a comparison, so that response times do not reveal which e-mails exist. */
  async compareWithNothing(password: string, lane: HashLane): Promise<void> {
    for (const form of formsOf(password)) await this.hashOf(form, lane);
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.end();
  }

  private queued(job: HashJob, lane: HashLane): Promise<HashResult> {
    return this.queue.run(lane, () => this.thread.run(job));
  }

  private refusal(reason: HashRefusal): ApiError {
    this.refused[reason] += 1;
    const detail = `Too many people sign in at once. Wait ${RETRY_SECONDS} s.`;
    return new ApiError('too_many_requests', detail, { 'Retry-After': String(RETRY_SECONDS) });
  }
}

/**
 * Returns the forms of a password to compare: first the form that is hashed now, then the forms of
 * older hashes, as typed and decomposed as on macOS.
 */
function formsOf(password: string): Set<string> {
  return new Set([password.normalize('NFC'), password, password.normalize('NFD')]);
}
