import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { versionOfPath } from '../common/api-versions.js';
import { errorEnvelope } from '../common/envelope/envelope.js';
import { JSON_TYPE } from '../common/envelope/rendered-answer.js';
import { ApiError } from '../common/errors/api-error.js';
import type { TlsContext } from '../config/settings/transport-settings.js';
import { inTurn } from './lifecycle/requests-in-turn.js';
import { CACHE_CONTROL } from './middleware/security-headers.js';

/** What a slow or a large client gets: time in milliseconds, headers together with the first line. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // Longer than the 60 s for which load balancers commonly keep a connection that is idle.
  keepAliveTimeout: 65_000,
} as const;
/** For a client that stops reading its answer, or sends nothing at all. */
const SILENCE_MS = 30_000;
const HEAD = 'HEAD ';

/** An error that Node found in the bytes of a request, with the bytes where it still has them. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  /** How many of these bytes were read without a fault. */
  readonly bytesParsed?: number;
}
type UnreadBytes = Pick<ClientError, 'code' | 'rawPacket' | 'bytesParsed'>;

/**
 * A server that answers in the envelope even where Node would answer, or hang up, by itself.
 * @param tls null for plain HTTP
 */
export function createHttpServer(
  listener: RequestListener,
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>,
  tls: TlsContext | null,
): Server {
  // A missing Host header is answered by the service, see prepare-request.ts.
  const options = { ...messages, ...LIMITS, requireHostHeader: false };
  const server =
    tls === null
      ? createServer(options, inTurn(listener))
      : createTlsServer(
          { ...options, ...tls, handshakeTimeout: LIMITS.headersTimeout },
          inTurn(listener),
        );
  server.setTimeout(SILENCE_MS);
  // Node would drop those after the 2,000th in silence; their size bounds them all.
  server.maxHeadersCount = 0;
  const latest = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>();
  server.on('request', (request, response) => latest.set(request.socket, { request, response }));
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const before = latest.get(socket);
    if (before?.request.complete === true && !before.response.writableFinished) {
      // What came before these bytes is answered first, or its caller takes the refusal for its own.
      before.response.once('close', () => {
        refuse(socket, error);
      });
    } else refuse(socket, error);
  });
  server.on('connect', (_request, socket: Duplex) => {
    refuse(socket, {});
  });
  // An expectation other than 100-continue is none of ours: the request is served as any other.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** What the caller can mend, by the code that Node gives. */
const DETAILS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request came too slowly.',
  HPE_HEADER_OVERFLOW: 'The address and the headers may have at most 16 KiB.',
};

/** Answers bytes that are no HTTP request (decisions: Every response), and hangs up. */
function refuse(socket: Duplex, fault: UnreadBytes): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const path = /^\S+ (\S+)/.exec(fault.rawPacket?.toString('latin1') ?? '')?.[1] ?? '/';
  const version = versionOfPath(path);
  const detail = DETAILS[fault.code ?? ''] ?? 'The request is not readable as HTTP.';
  const error = new ApiError('bad_request', detail);
  const body = errorEnvelope(version, error);
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
      isOfHead(fault) ? '' : body,
    ].join('\r\n'),
  );
}

/** True where the fault lies in the head of a HEAD itself, whose answer has no body. */
function isOfHead({ rawPacket, bytesParsed = 0 }: UnreadBytes): boolean {
  if (rawPacket?.toString('latin1', 0, HEAD.length) !== HEAD) return false;
  return !rawPacket.subarray(0, bytesParsed).includes('\r\n\r\n');
}
