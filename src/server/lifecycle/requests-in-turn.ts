import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onResponseEnd } from '../../common/envelope/response-end.js';

/** More than a browser or a client sends without waiting. */
const MOST_IN_HAND = 8;
/** Requests that were read and are not begun. Whoever sends more does not read what is answered. */
const MOST_WAITING = 1_000;

type Exchange = readonly [IncomingMessage, ServerResponse];

interface Line {
  inHand: number;
  readonly waiting: Exchange[];
}

/**
 * Begins only so many requests of a connection before the answers to those before them are sent. Whoever
 * sends thousands without reading what is answered would else have as many answers in memory.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  const begin = (line: Line, [request, response]: Exchange) => {
    line.inHand += 1;
    onResponseEnd(response, () => {
      line.inHand -= 1;
      const next = request.socket.destroyed ? undefined : line.waiting.shift();
      if (next !== undefined) begin(line, next);
    });
    listener(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? { inHand: 0, waiting: [] };
    lines.set(socket, line);
    if (line.inHand < MOST_IN_HAND) {
      begin(line, [request, response]);
      return;
    }
    line.waiting.push([request, response]);
    // Node goes on reading a connection that others pause.
    if (line.waiting.length > MOST_WAITING) socket.destroy();
  };
}
