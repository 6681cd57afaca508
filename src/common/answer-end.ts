import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const onClose = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls back once, when an answer is sent or can not be any more. A response that stands behind another
 * on its connection does not hear that the connection was lost, so that is listened for, too.
 */
export function onAnswerEnd(response: ServerResponse, callback: () => void): void {
  const callbacks = callbacksOf(response.req.socket);
  const call = () => {
    response.off('close', call);
    callbacks.delete(call);
    callback();
  };
  callbacks.add(call);
  response.once('close', call);
}

function callbacksOf(socket: Socket): Set<() => void> {
  const known = onClose.get(socket);
  if (known !== undefined) return known;
  const callbacks = new Set<() => void>();
  onClose.set(socket, callbacks);
  // One for all answers of a connection: they may be many.
  socket.once('close', () => {
    for (const call of [...callbacks]) call();
  });
  return callbacks;
}
