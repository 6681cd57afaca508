import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { Settings } from '../../config/settings.js';
import { onResponseEnd, onWorkEnd } from '../../api/envelope/response-end.js';
import { ApiError } from '../../api/errors/api-error.js';
import { clientDisconnected, Limiter } from './limiter.js';

/** Maximum queue lengths. */
const MAX_WAITING_OF_USER = 1_000;
const MAX_WAITING = 10_000;
/**
 * Maximum wait in milliseconds: shorter than typical client timeouts, longer than any page takes.
 */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;
/**
 * Maximum number of concurrent downloads of a user. Each download is as much work as hundreds of
 * pages.
 */
const MAX_DOWNLOADS = 2;

/** Counts the running requests of one user, and holds the waiting ones. */
interface Load {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Limits the concurrent requests of each user. Further requests wait, first come, first served. */
@Injectable()
export class ConcurrencyLimiter {
  private readonly max: number | null;
  private readonly loads = new Map<string, Load>();
  private waiting = 0;

  constructor(
    { limits }: Settings,
    private readonly limiter: Limiter,
    metrics: Metrics,
  ) {
    this.max = limits.atOnce;
    metrics.gauge('requests_under_way', 'Current requests of users by state.', 'state', () => ({
      begun: [...this.loads.values()].reduce((sum, { running }) => sum + running, 0),
      waiting: this.waiting,
    }));
  }

  /**
   * Starts a request. It counts until its response ends or only waits (see `endWork`).
   * @returns true if it had to wait
   * @throws ApiError too_many_requests if the queue is full or the wait takes too long
   */
  begin(user_id: number, response: ServerResponse): boolean | Promise<boolean> {
    return this.beginOf(`user ${user_id}`, this.max, response);
  }

  /** Starts a download as `begin` starts a request. Downloads are counted separately. */
  beginDownload(user_id: number, response: ServerResponse): boolean | Promise<boolean> {
    const max = this.max === null ? null : Math.min(this.max, MAX_DOWNLOADS);
    return this.beginOf(`downloads of user ${user_id}`, max, response);
  }

  private beginOf(
    owner: string,
    max: number | null,
    response: ServerResponse,
  ): boolean | Promise<boolean> {
    if (max === null) return false;
    if (response.req.socket.destroyed) throw clientDisconnected();
    const load = this.loads.get(owner) ?? { running: 0, waiting: new Set() };
    this.loads.set(owner, load);
    if (load.running >= max) return this.wait(owner, load, response);
    this.start(owner, load, response);
    return false;
  }

  private start(owner: string, load: Load, response: ServerResponse): void {
    load.running += 1;
    onWorkEnd(response, () => {
      load.running -= 1;
      const [startNext] = load.waiting;
      if (startNext !== undefined) startNext();
      else if (load.running === 0) this.loads.delete(owner);
    });
  }

  private async wait(owner: string, load: Load, response: ServerResponse): Promise<true> {
    if (load.waiting.size >= MAX_WAITING_OF_USER || this.waiting >= MAX_WAITING) throw this.error();
    this.waiting += 1;
    try {
      await new Promise<void>((resolve, reject) => {
        const leaveQueue = () => {
          clearTimeout(timer);
          load.waiting.delete(startNow);
        };
        const startNow = () => {
          leaveQueue();
          // The request starts synchronously, so that no other request takes the free place.
          this.start(owner, load, response);
          resolve();
        };
        const timer = setTimeout(() => {
          leaveQueue();
          reject(this.error());
        }, MAX_WAIT_MS);
        load.waiting.add(startNow);
        onResponseEnd(response, () => {
          if (!load.waiting.has(startNow)) return;
          leaveQueue();
          reject(clientDisconnected());
        });
      });
    } finally {
      this.waiting -= 1;
    }
    return true;
  }

  private error(): ApiError {
    return this.limiter.after('at_once', RETRY_AFTER_SECONDS);
  }
}
