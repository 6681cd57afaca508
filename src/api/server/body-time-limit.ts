import type { IncomingMessage, Server } from 'node:http';

/** Milliseconds from the end of the headers. A streamed body has a limit of its own. */
const BODY_MS = 20_000;
/**
 * Milliseconds in which a client may neither read nor send: longer than a streamed body and its
 * work take.
 */
const STREAMED_IDLE_MS = 180_000;

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Limits the time in which a body must arrive. Node's own limit is the same for all requests. */
export function limitBodyTime(server: Server): void {
  server.on('request', (request: IncomingMessage) => {
    if (!hasBody(request)) return;
    const timer = setTimeout(() => {
      if (request.complete) return;
      const error = Object.assign(new Error('slow body'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', error, request.socket);
    }, BODY_MS).unref();
    timers.set(request, timer);
    request.once('close', () => {
      clearTimeout(timer);
    });
  });
}

/** Removes the limit for an operation that limits the time itself. */
export function allowStreamedBody(request: IncomingMessage): void {
  clearTimeout(timers.get(request));
  request.socket.setTimeout(STREAMED_IDLE_MS);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
