import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onResponseEnd } from '../envelope/response-end.js';

/**
 * Maximum number of requests of a connection in progress, more than browsers and ordinary clients
 * pipeline.
 */
const MAX_IN_PROGRESS = 8;
/** Maximum number of parsed requests that wait. A client that sends more is disconnected. */
const MAX_QUEUED = 1_000;

type Exchange = readonly [IncomingMessage, ServerResponse];

interface Pipeline {
  inProgress: number;
  readonly queued: Exchange[];
}

/**
 * Limits the requests of a connection that are processed at the same time. Otherwise the responses
 * to thousands of pipelined requests, which the client does not read, would fill the memory.
 */
export function limitPipelining(listener: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const start = (pipeline: Pipeline, [request, response]: Exchange) => {
    pipeline.inProgress += 1;
    onResponseEnd(response, () => {
      pipeline.inProgress -= 1;
      const next = request.socket.destroyed ? undefined : pipeline.queued.shift();
      if (next !== undefined) start(pipeline, next);
    });
    listener(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    const pipeline = pipelines.get(socket) ?? { inProgress: 0, queued: [] };
    pipelines.set(socket, pipeline);
    if (pipeline.inProgress < MAX_IN_PROGRESS) {
      start(pipeline, [request, response]);
      return;
    }
    pipeline.queued.push([request, response]);
    // Pausing the socket has no effect: Node resumes it.
    if (pipeline.queued.length > MAX_QUEUED) socket.destroy();
  };
}
