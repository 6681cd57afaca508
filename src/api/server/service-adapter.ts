import {
  IncomingMessage,
  ServerResponse,
  type ServerOptions,
  createServer,
  type RequestListener,
  type Server,
} from 'node:http';
import { randomUUID } from 'node:crypto';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import express, { type Express, type Response } from 'express';
import type { LoggerService } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { SendableAnswer, JSON_TYPE } from '../envelope/rendered-answer.js';
import { loadTls, type TransportSettings } from '../../config/settings/transport-settings.js';
import { versionOfPath } from '../versions/api-versions.js';
import { errorEnvelope } from '../envelope/envelope.js';
import { ApiError } from '../errors/api-error.js';
import { limitBodyTime } from './body-time-limit.js';
import { CACHE_CONTROL } from '../edge/security-headers.js';
import { isError } from '../../platform/errors/is-error.js';
import { onResponseEnd } from '../envelope/response-end.js';

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
    this.httpServer = createHttpServer(this.getInstance<Express>(), this.transport);
  }
}

/**
 * Returns the message classes for a server. Express sets the prototype of every request and
 * response, which invalidates V8's hidden classes and costs much time
 * (docs/measurements/older.md). These classes have that prototype from the start, so setting it
 * changes nothing.
 */
function expressMessages(
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

/**
 * Times in milliseconds, and the maximum size of the headers in bytes, including the request line.
 */
const LIMITS = {
  headersTimeout: 10_000,
  // The limit also applies to a streamed body; body-time-limit.ts limits all other bodies.
  requestTimeout: 150_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // Load balancers commonly keep idle connections for 60 s, so this server keeps them longer.
  keepAliveTimeout: 65_000,
} as const;
/** Milliseconds after which a connection ends whose client neither reads nor sends. */
const IDLE_MS = 30_000;
/**
 * Milliseconds that a rejected client has to read the reason. Its connection then ends, even if it
 * still sends.
 */
const LINGER_MS = 1_000;
const HEAD = 'HEAD ';
/** Node's code for a request that did not arrive in time. */
const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Describes a parse error from Node, with the bytes if Node still has them. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  /** The number of these bytes that were parsed without an error. */
  readonly bytesParsed?: number;
}
type UnreadBytes = Pick<ClientError, 'code' | 'rawPacket' | 'bytesParsed'>;

/**
 * Creates a server that answers in the envelope even where Node itself would answer or disconnect.
 */
function createHttpServer(express: Express, { tls }: TransportSettings): Server {
  // prepare-request.ts rejects a missing Host header.
  const options = { ...expressMessages(express), ...LIMITS, requireHostHeader: false };
  const handshakeTimeout = LIMITS.headersTimeout;
  const listener = limitPipelining(express);
  const server =
    tls === null
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...loadTls(tls), handshakeTimeout }, listener);
  server.setTimeout(IDLE_MS);
  limitBodyTime(server);
  // Node would silently drop headers after the 2,000th. The limit maxHeaderSize is sufficient.
  server.maxHeadersCount = 0;
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || isUnused(socket, error)) {
      socket.destroy();
      return;
    }
    const before = latest.get(socket);
    if (before?.request.complete === true && !before.response.writableFinished) {
      // The previous response is finished first, since its client would otherwise read this error
      // as the answer to it.
      before.response.once('close', () => {
        reject(socket, error);
      });
    } else reject(socket, error);
  });
  server.on('connect', (_request, socket: Duplex) => {
    reject(socket, {});
  });
  // Any Expect header other than 100-continue is ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/**
 * True if the time for a request is over and none began. Browsers open connections in advance: an
 * error would be read as the answer to a request that is sent at the same moment, but a client
 * whose unused connection was closed sends the request again.
 */
function isUnused(socket: Duplex, { code }: ClientError): boolean {
  return code === TOO_SLOW && socket instanceof Socket && socket.bytesRead === 0;
}

/** Error details by Node's error code. */
const DETAILS: Readonly<Record<string, string>> = {
  [TOO_SLOW]: 'The request was sent too slowly.',
  HPE_HEADER_OVERFLOW: 'The URL and the headers must not exceed 16 KiB.',
};

/** Answers bytes that are not an HTTP request with an error in the envelope, and disconnects. */
function reject(socket: Duplex, fault: UnreadBytes): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const path = /^\S+ (\S+)/.exec(fault.rawPacket?.toString('latin1') ?? '')?.[1] ?? '/';
  const version = versionOfPath(path);
  const detail = DETAILS[fault.code ?? ''] ?? 'The request is not valid HTTP.';
  const error = new ApiError('bad_request', detail);
  const body = errorEnvelope(version, error);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => {
    clearTimeout(linger);
  });
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      `Content-Type: ${JSON_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-API-Version: ${version}`,
      `X-Request-Id: ${randomUUID()}`,
      `Cache-Control: ${CACHE_CONTROL}`,
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      isHeadRequest(fault) ? '' : body,
    ].join('\r\n'),
  );
}

/**
 * Returns true if the error is in the head of a HEAD request itself, whose response has no body.
 */
function isHeadRequest({ rawPacket, bytesParsed = 0 }: UnreadBytes): boolean {
  if (rawPacket?.toString('latin1', 0, HEAD.length) !== HEAD) return false;
  return !rawPacket.subarray(0, bytesParsed).includes('\r\n\r\n');
}

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

/**
 * Reloads the certificate and its key for new connections. If the files are unusable, the old
 * certificate stays in use.
 */
export function reloadTls(server: Server, { tls }: TransportSettings, logger: LoggerService): void {
  if (tls === null || !(server instanceof TlsServer)) return;
  try {
    server.setSecureContext(loadTls(tls));
    logger.log('The certificate was reloaded.', 'TLS');
  } catch (error) {
    const cause = isError(error) ? error.message : 'unusable';
    logger.error(`The old certificate stays in use: ${cause}`, 'TLS');
  }
}
