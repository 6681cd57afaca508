import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express } from 'express';
import { expressMessages } from './express-messages.js';
import { createHttpServer } from './http-server.js';

/** Express as this service wants it, on a server that answers in the envelope by itself. */
export class ServiceAdapter extends ExpressAdapter {
  constructor() {
    const instance = express();
    // Paths are the contract's to the letter, and so are keys in them.
    instance.set('case sensitive routing', true);
    instance.set('query parser', 'simple');
    instance.set('etag', false);
    instance.set('x-powered-by', false);
    super(instance);
  }

  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    this.httpServer = createHttpServer(express, expressMessages(express));
  }
}
