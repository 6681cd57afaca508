import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Callbacks = Set<() => void>;

const worksOf = new WeakMap<ServerResponse, Callbacks>();
const callbacksOf = new WeakMap<ServerResponse, Callbacks>();
const responsesOf = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Calls back once, when the response has been sent or cannot be sent any more. A response queued
 * behind another on its connection gets no event when the connection is lost, so this listens to
 * both.
 */
export function onResponseEnd(response: ServerResponse, callback: () => void): void {
  const known = callbacksOf.get(response);
  if (known !== undefined) {
    known.add(callback);
    return;
  }
  callbacksOf.set(response, new Set([callback]));
  const responses = responsesOn(response.req.socket);
  responses.add(response);
  response.once('close', () => {
    responses.delete(response);
    end(response);
  });
}

/**
 * Calls back once, when no work is done for the response any more, or it only waits (`endWork`).
 */
export function onWorkEnd(response: ServerResponse, callback: () => void): void {
  const works = worksOf.get(response) ?? new Set();
  worksOf.set(response, works);
  works.add(callback);
  onResponseEnd(response, () => {
    endWork(response);
  });
}

/** Marks a response that only waits from now on and uses almost no resources. */
export function endWork(response: ServerResponse): void {
  const works = worksOf.get(response) ?? [];
  worksOf.delete(response);
  for (const callback of works) callback();
}

/**
 * Returns the open responses of a connection. One listener serves all of them, since there may be
 * many.
 */
function responsesOn(socket: Socket): Set<ServerResponse> {
  const known = responsesOf.get(socket);
  if (known !== undefined) return known;
  const responses = new Set<ServerResponse>();
  responsesOf.set(socket, responses);
  socket.once('close', () => {
    for (const response of [...responses]) end(response);
  });
  return responses;
}

function end(response: ServerResponse): void {
  const callbacks = callbacksOf.get(response) ?? [];
  callbacksOf.delete(response);
  for (const callback of callbacks) callback();
}

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
