import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { Settings } from '../../../config/settings.js';
import { onAnswerEnd } from '../../../common/envelope/answer-end.js';
import { ApiError } from '../../../common/errors/api-error.js';
import { hungUp, RateLimitErrors } from '../rate-limit-errors.js';

/** Requests of a user that wait until others of the user are done, and those of all users. */
const MOST_OF_USER = 1_000;
const MOST_IN_PROCESS = 10_000;
/** Shorter than the patience of a client, longer than any page takes. */
const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 1;
/** Each is as much work as hundreds of pages. */
const MOST_DOWNLOADS = 2;

interface Waiter {
  readonly letIn: () => void;
}

/** What a process does for one user now. */
interface Load {
  inside: number;
  readonly waiting: Set<Waiter>;
}

/**
 * Holds down how much of a user's a process does at once, so that the others are served as if that user
 * asked for little. What is over it waits, first come first served.
 */
@Injectable()
export class RequestsUnderWay {
  private readonly most: number | null;
  private readonly loads = new Map<string, Load>();
  private waiting = 0;

  constructor(
    { limits }: Settings,
    private readonly refusals: RateLimitErrors,
    metrics: Metrics,
  ) {
    this.most = limits.atOnce;
    metrics.gauge('requests_under_way', 'Requests of users by what they do now.', 'state', () => ({
      begun: [...this.loads.values()].reduce((sum, { inside }) => sum + inside, 0),
      waiting: this.waiting,
    }));
  }

  /**
   * Lets a request begin, which counts until its answer is sent or given up.
   * @returns true where it had to wait
   * @throws ApiError too_many_requests where too many wait or it waited for too long
   */
  begin(user_id: number, response: ServerResponse): boolean | Promise<boolean> {
    return this.beginOf(`user ${user_id}`, this.most, response);
  }

  /** The same for a download, beside which pages and calls of the user have their places. */
  beginDownload(user_id: number, response: ServerResponse): boolean | Promise<boolean> {
    const most = this.most === null ? null : Math.min(this.most, MOST_DOWNLOADS);
    return this.beginOf(`downloads of user ${user_id}`, most, response);
  }

  private beginOf(
    owner: string,
    most: number | null,
    response: ServerResponse,
  ): boolean | Promise<boolean> {
    if (most === null) return false;
    if (response.req.socket.destroyed) throw hungUp();
    const load = this.loads.get(owner) ?? { inside: 0, waiting: new Set() };
    this.loads.set(owner, load);
    if (load.inside >= most) return this.wait(owner, load, response);
    this.enter(owner, load, response);
    return false;
  }

  private enter(owner: string, load: Load, response: ServerResponse): void {
    load.inside += 1;
    onAnswerEnd(response, () => {
      load.inside -= 1;
      const [next] = load.waiting;
      if (next !== undefined) next.letIn();
      else if (load.inside === 0) this.loads.delete(owner);
    });
  }

  private async wait(owner: string, load: Load, response: ServerResponse): Promise<true> {
    if (load.waiting.size >= MOST_OF_USER || this.waiting >= MOST_IN_PROCESS) throw this.refusal();
    this.waiting += 1;
    try {
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          clearTimeout(limit);
          load.waiting.delete(waiter);
        };
        const waiter: Waiter = {
          letIn: () => {
            settle();
            // In the same step as the one before left, so that nobody comes between.
            this.enter(owner, load, response);
            resolve();
          },
        };
        const limit = setTimeout(() => {
          settle();
          reject(this.refusal());
        }, LONGEST_WAIT_MS);
        load.waiting.add(waiter);
        onAnswerEnd(response, () => {
          if (!load.waiting.has(waiter)) return;
          settle();
          reject(hungUp());
        });
      });
    } finally {
      this.waiting -= 1;
    }
    return true;
  }

  private refusal(): ApiError {
    return this.refusals.after('at_once', RETRY_AFTER_SECONDS);
  }
}
