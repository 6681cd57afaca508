import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { WaitingRequests } from '../../platform/limits/waiting-requests.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { ChangesRepository, type FeedState } from './changes.repository.js';

/** Polls the database at this interval, so that changes written by any instance are noticed. */
const POLL_MS = 250;
/** At most this many callers wait; others are answered at once. */
const MAX_WAITING = 10_000;

interface Wait {
  readonly vendor_id: number;
  readonly after: number;
  readonly end: () => void;
}

/** Lets callers wait for the next change of a ledger, without a database connection. */
@Injectable()
export class ChangeWaitsService {
  private readonly waiting = new Set<Wait>();
  private isPolling = false;
  private isClosed = false;

  constructor(
    private readonly repository: ChangesRepository,
    metrics: Metrics,
    requests: WaitingRequests,
  ) {
    requests.onClose(() => {
      this.close();
    });
    const help = 'Requests that wait for a change of a ledger.';
    metrics.gauge('changes_waiting', help, 'state', () => ({ waiting: this.waiting.size }));
  }

  /**
   * Waits until the ledger has changed after a sequence, or until `ms` have passed.
   * @returns false if the caller must not wait again
   */
  forChange(
    { vendor_id, after }: Omit<Wait, 'end'>,
    ms: number,
    isGone: AbortSignal,
  ): Promise<boolean> {
    if (this.isClosed || isGone.aborted || this.waiting.size >= MAX_WAITING) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        isGone.removeEventListener('abort', end);
        this.waiting.delete(wait);
        resolve(!this.isClosed);
      };
      const wait = { vendor_id, after, end };
      const timer = setTimeout(end, ms);
      isGone.addEventListener('abort', end);
      this.waiting.add(wait);
      void this.poll();
    });
  }

  /** Ends all waits now, and later ones at once. */
  private close(): void {
    this.isClosed = true;
    for (const { end } of this.waiting) end();
  }

  /** Polls all ledgers that callers wait for with one statement. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    while (this.waiting.size > 0) {
      await pause(POLL_MS);
      const vendors = new Set(Array.from(this.waiting, ({ vendor_id }) => vendor_id));
      // While the database is unavailable, callers wait until their time is over.
      const states = await this.repository
        .states([...vendors])
        .catch(() => new Map<number, FeedState>());
      for (const { vendor_id, after, end } of this.waiting) {
        if ((states.get(vendor_id)?.last_sequence ?? 0) > after) end();
      }
    }
    this.isPolling = false;
  }
}
