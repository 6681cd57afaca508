import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const HEADER = 'X-Request-Id';
export const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
/** Matches an API key, plain or in base64, which must not reach the log or the response. */
const KEY = /(?:vra_|dnJhX)[0-9A-Za-z]{20}/;

/** Keeps a valid incoming request id, or generates one. */
export function setRequestId(response: ServerResponse, incoming: string | undefined): void {
  const isKept = incoming !== undefined && VALID_REQUEST_ID.test(incoming) && !KEY.test(incoming);
  const requestId = isKept ? incoming : randomUUID();
  response.setHeader(HEADER, requestId);
}

export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(HEADER));
}
