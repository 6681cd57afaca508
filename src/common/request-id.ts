import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';
export const KEPT_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** What looks like an API key, in clear or in base64, would stand in the log and in the answer. */
const KEY = /(?:vra_|dnJhX)[0-9A-Za-z]{20}/;

/** Keeps an incoming request id that is harmless to hand on, or makes one. */
export function giveRequestId(response: ServerResponse, incoming: string | undefined): void {
  const isKept = incoming !== undefined && KEPT_REQUEST_ID.test(incoming) && !KEY.test(incoming);
  const requestId = isKept ? incoming : randomUUID();
  response.setHeader(HEADER, requestId);
}

export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(HEADER));
}
