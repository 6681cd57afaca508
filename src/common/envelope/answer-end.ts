import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Callbacks = Set<() => void>;

const ofAnswers = new WeakMap<ServerResponse, Callbacks>();
const ofConnections = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Calls back once, when an answer is sent or can not be any more. A response that stands behind another
 * on its connection does not hear that the connection was lost, so that is listened for, too.
 */
export function onAnswerEnd(response: ServerResponse, callback: () => void): void {
  const known = ofAnswers.get(response);
  if (known !== undefined) {
    known.add(callback);
    return;
  }
  ofAnswers.set(response, new Set([callback]));
  const { socket } = response.req;
  const answers = answersOn(socket);
  answers.add(response);
  response.once('close', () => {
    answers.delete(response);
    end(response);
  });
}

/** One listener for all answers of a connection: they may be many. */
function answersOn(socket: Socket): Set<ServerResponse> {
  const known = ofConnections.get(socket);
  if (known !== undefined) return known;
  const answers = new Set<ServerResponse>();
  ofConnections.set(socket, answers);
  socket.once('close', () => {
    for (const response of [...answers]) end(response);
  });
  return answers;
}

function end(response: ServerResponse): void {
  const callbacks = ofAnswers.get(response) ?? [];
  ofAnswers.delete(response);
  for (const callback of callbacks) callback();
}
