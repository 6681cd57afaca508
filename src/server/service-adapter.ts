import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { SendableAnswer } from '../common/envelope/rendered-answer.js';
import { loadTls, type TransportSettings } from '../config/settings/transport-settings.js';
import { createHttpServer } from './http-server.js';
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';

export class ServiceAdapter extends ExpressAdapter {
  constructor(private readonly transport: TransportSettings) {
    const instance = express();
    // Paths and the keys in them are case-sensitive.
    instance.set('case sensitive routing', true);
    instance.set('etag', false);
    instance.set('x-powered-by', false);
    instance.set('trust proxy', transport.trustProxy ?? false);
    super(instance);
  }

  /**
   * Sends the result of a handler.
   * @param body a SendableAnswer of EnvelopeInterceptor, or any other body
   */
  override reply(response: Response, body: unknown, status?: number): unknown {
    if (!(body instanceof SendableAnswer)) return super.reply(response, body, status) as unknown;
    // Nest waits for the promise, and passes its error to the exception filter.
    return body.send(response);
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    const { tls } = this.transport;
    const context = tls === null ? null : loadTls(tls);
    this.httpServer = createHttpServer(express, expressMessages(express), context);
  }
}

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
