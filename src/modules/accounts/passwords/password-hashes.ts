import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { HashThread, type HashJob, type HashResult } from './hash-thread.js';

/** Each takes a core for some 20 ms, and longer on a busy machine. */
const MOST_WAITING = 100;
const LONGEST_WAIT_MS = 5_000;
const RETRY_SECONDS = 5;

interface Waiter {
  /** By `performance.now()`. */
  readonly since: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Hashes passwords and compares them, one at a time in each process, so that they never take more than
 * a core of the other requests. Who comes meanwhile waits for a while.
 */
@Injectable()
export class PasswordHashes implements OnApplicationShutdown {
  private readonly thread = new HashThread();
  private readonly waiters: Waiter[] = [];
  private readonly refused = { queue_full: 0, waited_too_long: 0 };
  private isWorking = false;

  constructor(metrics: Metrics) {
    metrics.gauge('password_hashes', 'Passwords that are hashed or wait for it.', 'state', () => ({
      working: this.isWorking ? 1 : 0,
      waiting: this.waiters.length,
    }));
    metrics.counter(
      'password_hashes_refused_total',
      'Passwords that were not looked at, since too many others waited.',
      'reason',
      () => this.refused,
    );
  }

  /** @throws ApiError too_many_requests */
  async hashOf(password: string): Promise<string> {
    return String(await this.inTurn({ password, passwordHash: null }));
  }

  /** @throws ApiError too_many_requests */
  async isPassword(passwordHash: string, password: string): Promise<boolean> {
    return (await this.inTurn({ password, passwordHash })) === true;
  }

  /** Takes as long as a comparison does, so that time tells nobody which e-mails there are. */
  async compareWithNothing(password: string): Promise<void> {
    await this.hashOf(password);
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.end();
  }

  private async inTurn(job: HashJob): Promise<HashResult> {
    await this.wait();
    try {
      return await this.thread.run(job);
    } finally {
      this.callNext();
    }
  }

  private wait(): Promise<void> {
    if (!this.isWorking) {
      this.isWorking = true;
      return Promise.resolve();
    }
    if (this.waiters.length >= MOST_WAITING) return Promise.reject(this.refusal('queue_full'));
    return new Promise((begin, refuse) => {
      this.waiters.push({ since: performance.now(), begin, refuse });
    });
  }

  /** Whoever has waited too long is passed over: by now, most of them have given up. */
  private callNext(): void {
    const earliest = performance.now() - LONGEST_WAIT_MS;
    for (;;) {
      const next = this.waiters.shift();
      if (next === undefined) {
        this.isWorking = false;
        return;
      }
      if (next.since >= earliest) {
        next.begin();
        return;
      }
      next.refuse(this.refusal('waited_too_long'));
    }
  }

  private refusal(reason: keyof typeof this.refused): ApiError {
    this.refused[reason] += 1;
    const detail = `Too many people sign in at once. Wait ${RETRY_SECONDS} s.`;
    return new ApiError('too_many_requests', detail, { 'Retry-After': String(RETRY_SECONDS) });
  }
}
