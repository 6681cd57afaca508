import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { WaitingRequests } from '../../platform/limits/waiting-requests.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { ChangesRepository, type FeedState } from './changes.repository.js';

/** Polls the database at this interval, so that changes written by any instance are noticed. */
const POLL_MS = 250;
/** At most this many callers wait; others are answered at once. */
const MAX_WAITING = 10_000;

/** Lets callers wait for the next change of a ledger, without a database connection. */
@Injectable()
export class ChangeWaitsService {
  private readonly waiting = new Map<
    number,
    Set<{ readonly after: number; readonly end: () => void }>
  >();
  private count = 0;
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
    metrics.gauge('changes_waiting', help, 'state', () => ({ waiting: this.count }));
  }

  /**
   * Waits until the ledger has changed after a sequence, or until `ms` have passed.
   * @returns false if the caller must not wait again
   */
  forChange(
    { vendor_id, after }: { readonly vendor_id: number; readonly after: number },
    ms: number,
    isGone: AbortSignal,
  ): Promise<boolean> {
    if (this.isClosed || isGone.aborted || this.count >= MAX_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waits = this.waiting.get(vendor_id) ?? new Set();
      this.waiting.set(vendor_id, waits);
      const end = () => {
        clearTimeout(timer);
        isGone.removeEventListener('abort', end);
        if (!waits.delete(wait)) return;
        this.count -= 1;
        if (waits.size === 0) this.waiting.delete(vendor_id);
        resolve(!this.isClosed);
      };
      const wait = { after, end };
      const timer = setTimeout(end, ms);
      isGone.addEventListener('abort', end);
      waits.add(wait);
      this.count += 1;
      void this.poll();
    });
  }

  /** Ends all waits now, and later ones at once. */
  private close(): void {
    this.isClosed = true;
    for (const waits of [...this.waiting.values()]) {
      for (const { end } of [...waits]) end();
    }
  }

  /** Polls all ledgers that callers wait for with one statement. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    while (this.waiting.size > 0) {
      await pause(POLL_MS);
      // While the database is unavailable, callers wait until their time is over.
      const states = await this.repository
        .states([...this.waiting.keys()])
        .catch(() => new Map<number, FeedState>());
      for (const [vendor_id, { last_sequence }] of states) {
        for (const { after, end } of [...(this.waiting.get(vendor_id) ?? [])]) {
          if (last_sequence > after) end();
        }
      }
    }
    this.isPolling = false;
  }
}
