import { setTimeout as wait } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';

/** A call waits at most this long for a limit; a longer wait postpones the read. */
export const MAX_PAUSE_SECONDS = 60;
const MAX_RETRY_SECONDS = 86_400;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;
/**
 * Matches the remaining calls in an item of the header RateLimit, such as `"1s";r=0;t=1`
 * (draft-ietf-httpapi-ratelimit-headers).
 */
const LEFT = /;\s*r=(\d{1,9})\b/;
const UNTIL = /;\s*t=(\d{1,9})\b/;

/** Respects the limits that an upstream sends in its answers. */
export class CallPace {
  /** Time of the next call by the monotonic clock, in milliseconds. */
  private next = 0;

  /** Waits until the upstream accepts another call. */
  async turn(signal: AbortSignal): Promise<void> {
    for (let left = this.left(); left > 0; left = this.left()) {
      await wait(left, undefined, { signal });
    }
  }

  /** Notes the limits that an answer sets for the calls after it. */
  note(headers: IncomingHttpHeaders, status: number): void {
    const seconds = status === 429 ? (retrySecondsOf(headers) ?? 1) : usedUpSecondsOf(headers);
    if (seconds <= 0) return;
    const ms = Math.min(seconds, MAX_PAUSE_SECONDS) * 1_000;
    this.next = Math.max(this.next, performance.now() + ms);
  }

  private left(): number {
    return Math.ceil(this.next - performance.now());
  }
}

/** Returns the value of Retry-After in seconds, or null if it is missing or cannot be read. */
export function retrySecondsOf(headers: IncomingHttpHeaders): number | null {
  const text = headers['retry-after'] ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), MAX_RETRY_SECONDS);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) return null;
  return Math.min(Math.max(0, Math.ceil((at - Date.now()) / 1_000)), MAX_RETRY_SECONDS);
}

/** Returns the seconds until another call is allowed: 0 if one is left, or no limit is sent. */
function usedUpSecondsOf(headers: IncomingHttpHeaders): number {
  const items = textOf(headers.ratelimit).split(',');
  const standard = items.map((item) => {
    const isUsedUp = Number(LEFT.exec(item)?.[1] ?? 1) === 0;
    return isUsedUp ? Number(UNTIL.exec(item)?.[1] ?? 1) : 0;
  });
  const remaining = textOf(headers['x-ratelimit-remaining']);
  const reset = textOf(headers['x-ratelimit-reset']);
  // A reset that is a point in time, as some services send it, is ignored.
  const other = remaining === '0' && /^\d{1,5}$/.test(reset) ? Number(reset) : 0;
  return Math.max(other, ...standard);
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(',') : (header ?? '');
}
