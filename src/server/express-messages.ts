import type { Express } from 'express';
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';

/**
 * Returns the message classes for a server. Express sets the prototype of every request and
 * response, which invalidates V8's hidden classes and costs much time (docs/benchmarks.md). These
 * classes have that prototype from the start, so setting it changes nothing.
 */
export function expressMessages(
  express: Express,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, express.request);
  Object.setPrototypeOf(ExpressResponse.prototype, express.response);
  Object.assign(express, {
    request: ExpressRequest.prototype,
    response: ExpressResponse.prototype,
  });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
