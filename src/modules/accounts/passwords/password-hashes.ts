import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { HashThread, type HashJob, type HashResult } from './hash-thread.js';

/** Each hash takes a core for about 20 ms, and longer on a busy machine. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;
const RETRY_SECONDS = 5;

interface Waiter {
  /** By `performance.now()`. */
  readonly since: number;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Hashes and compares passwords, one at a time in each process, so that hashing never takes more than
 * one core from other requests. Further callers wait for a while.
 */
@Injectable()
export class PasswordHashes implements OnApplicationShutdown {
  private readonly thread = new HashThread();
  private readonly waiters: Waiter[] = [];
  private readonly refused = { queue_full: 0, waited_too_long: 0 };
  private isWorking = false;

  constructor(metrics: Metrics) {
    metrics.gauge(
      'password_hashes',
      'Passwords that are being hashed or waiting.',
      'state',
      () => ({
        working: this.isWorking ? 1 : 0,
        waiting: this.waiters.length,
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
   * Keyboards compose accents in different ways, so one form is hashed.
   * @throws ApiError too_many_requests
   */
  async hashOf(password: string): Promise<string> {
    return String(await this.queued({ password: password.normalize('NFC'), passwordHash: null }));
  }

  /** @throws ApiError too_many_requests */
  async isPassword(passwordHash: string, password: string): Promise<boolean> {
    for (const form of formsOf(password)) {
      if ((await this.queued({ password: form, passwordHash })) === true) return true;
    }
    return false;
  }

  /** Takes as long as a comparison, so that response times do not reveal which e-mails exist. */
  async compareWithNothing(password: string): Promise<void> {
    for (const form of formsOf(password)) await this.hashOf(form);
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.end();
  }

  private async queued(job: HashJob): Promise<HashResult> {
    await this.wait();
    try {
      return await this.thread.run(job);
    } finally {
      this.startNext();
    }
  }

  private wait(): Promise<void> {
    if (!this.isWorking) {
      this.isWorking = true;
      return Promise.resolve();
    }
    if (this.waiters.length >= MAX_WAITING) return Promise.reject(this.refusal('queue_full'));
    return new Promise((start, reject) => {
      this.waiters.push({ since: performance.now(), start, reject });
    });
  }

  /** Callers that have waited too long are rejected: most of them have given up by now. */
  private startNext(): void {
    const earliest = performance.now() - MAX_WAIT_MS;
    for (;;) {
      const next = this.waiters.shift();
      if (next === undefined) {
        this.isWorking = false;
        return;
      }
      if (next.since >= earliest) {
        next.start();
        return;
      }
      next.reject(this.refusal('waited_too_long'));
    }
  }

  private refusal(reason: keyof typeof this.refused): ApiError {
    this.refused[reason] += 1;
    const detail = `Too many people sign in at once. Wait ${RETRY_SECONDS} s.`;
    return new ApiError('too_many_requests', detail, { 'Retry-After': String(RETRY_SECONDS) });
  }
}

/** The form that is hashed now, then those of hashes that are older: as typed, and decomposed as macOS does. */
function formsOf(password: string): Set<string> {
  return new Set([password.normalize('NFC'), password, password.normalize('NFD')]);
}
