import type { ServerResponse } from 'node:http';
import { onResponseEnd } from './response-end.js';

/** Milliseconds between two checks. The pause and the check itself take at most a second. */
const EVERY_MS = 900;

/**
 * Cuts off a response that is being sent as soon as its caller may no longer receive it.
 * @param mayGoOn returns false to cut off; if it fails, the response continues until the next check
 */
export function watchResponse(response: ServerResponse, mayGoOn: () => Promise<boolean>): void {
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    const isAllowed = await mayGoOn().catch(() => true);
    isChecking = false;
    if (!isAllowed) response.destroy();
  };
  const timer = setInterval(() => void check(), EVERY_MS);
  onResponseEnd(response, () => {
    clearInterval(timer);
  });
}
