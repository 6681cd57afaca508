import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { SendableAnswer } from '../common/envelope/rendered-answer.js';
import { loadTls, type TransportSettings } from '../config/settings/transport-settings.js';
import { expressMessages } from './express-messages.js';
import { createHttpServer } from './http-server.js';

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
