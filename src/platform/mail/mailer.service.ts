import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Injectable, Logger, type BeforeApplicationShutdown, Module } from '@nestjs/common';
import { describeError } from '../errors/describe-error.js';
import { Settings } from '../../config/settings.js';
import { Metrics } from '../observability/metrics.js';
import { OperatorCalls } from '../outgoing/operator-calls.js';
import { MailError, type Mail } from './mail.model.js';
import { SmtpServer } from './smtp-server.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';

/** Maximum number of mails that are sent at the same time. */
const MAX_AT_ONCE = 4;
/**
 * Maximum number of mails that wait. Further ones are dropped, so that an unavailable server does
 * not fill the memory.
 */
const MAX_WAITING = 1_000;
const RETRY_MS = [5_000, 30_000];
/** Time that a shutdown waits for mails. */
const STOP_MS = 5_000;

type ChanceMs = readonly [least: number, most: number];

/** Sends mails if SMTP_URL is set. */
@Injectable()
export class MailerService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly server: SmtpServer | null;
  private readonly turns = pLimit(MAX_AT_ONCE);
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly counts = { sent: 0, failed: 0, dropped: 0 };
  private hasFailed = false;

  constructor({ mail, publicUrl }: Settings, calls: OperatorCalls, metrics: Metrics) {
    const ownName = publicUrl === null ? 'localhost' : new URL(publicUrl).hostname;
    this.server = mail === null ? null : new SmtpServer(mail, ownName, calls);
    metrics.counter('mails_total', 'Mails by outcome.', 'outcome', () => this.counts);
    metrics.gauge('mails_waiting', 'Mails in work or waiting.', 'state', () => ({
      working: this.turns.activeCount,
      waiting: this.running.size - this.turns.activeCount,
    }));
  }

  get isOn(): boolean {
    return this.server !== null;
  }

  /**
   * Sends a mail immediately, with a single attempt.
   * @throws MailError
   */
  async send(mail: Mail): Promise<void> {
    if (this.server === null) throw new MailError('SMTP_URL is not set.', true);
    await this.server.send(mail);
    this.counts.sent += 1;
  }

  /**
   * Sends mails in the background, with a few attempts each. Never throws and never waits.
   * @param write returns the mails; it also runs in the background
   * @param between bounds of a random delay before `write` runs, in milliseconds
   */
  later(write: () => Promise<readonly Mail[]>, between?: ChanceMs): void {
    if (this.server === null) return;
    if (this.running.size >= MAX_AT_ONCE + MAX_WAITING) {
      this.counts.dropped += 1;
      return;
    }
    const end = this.begin(write, between).finally(() => this.running.delete(end));
    this.running.add(end);
  }

  /** Sends the waiting mails, if the server accepts them soon. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const stopped = new AbortController();
    const all = Promise.all(this.running).finally(() => {
      stopped.abort();
    });
    const timeUp = wait(STOP_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    await Promise.race([all, timeUp]);
    const mails = this.running.size;
    if (mails > 0) this.logger.error({ message: 'Mails were not sent before the stop', mails });
  }

  private async begin(write: () => Promise<readonly Mail[]>, between?: ChanceMs): Promise<void> {
    if (between !== undefined) await this.pause(randomInt(...between));
    await this.turns(() => this.sendAll(write));
  }

  /** Waits; a shutdown ends the wait early. */
  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }

  private async sendAll(write: () => Promise<readonly Mail[]>): Promise<void> {
    try {
      for (const mail of await write()) await this.sendWithRetries(mail);
      this.hasFailed = false;
    } catch (error) {
      this.counts.failed += 1;
      this.report(error);
    }
  }

  private async sendWithRetries(mail: Mail): Promise<void> {
    for (const pause of RETRY_MS) {
      try {
        await this.send(mail);
        return;
      } catch (error) {
        const canRetry = error instanceof MailError && !error.isFinal;
        if (!canRetry || this.stopping.signal.aborted) throw error;
        await this.pause(pause);
      }
    }
    await this.send(mail);
  }

  /** Logs an error once per outage, not for each mail. */
  private report(error: unknown): void {
    if (!this.hasFailed) {
      const reason = error instanceof MailError ? { reason: error.message } : describeError(error);
      this.logger.error({ message: 'A mail could not be sent', ...reason });
    }
    this.hasFailed = true;
  }
}

@Module({ imports: [OutgoingModule], providers: [MailerService], exports: [MailerService] })
export class MailModule {}
