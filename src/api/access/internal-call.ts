import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request } from 'express';
import { runAs } from './internal-requests.js';
import type { Principal } from './principal.js';
import { requestIdOf } from '../edge/prepare-request.js';
import { onResponseEnd } from '../envelope/response-end.js';

/** Describes an operation that another request calls. */
export interface InternalCall {
  readonly method: string;
  /** Path with the query, such as `/v3.0/transactions/AP-1`. */
  readonly target: string;
  /** Body of a request that writes. */
  readonly body?: object;
}

/** Holds the answer of an operation. */
export interface InternalAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

const END_OF_HEAD = '\r\n\r\n';

/** Collects what a response writes, in place of a connection. */
class AnswerSocket extends Socket {
  /** Operations see a request over HTTPS, because the calling request has passed that check. */
  readonly encrypted = true;
  private readonly chunks: Buffer[] = [];

  /** @param address address of the client of the calling request */
  constructor(address: string | undefined) {
    super();
    Object.defineProperty(this, 'remoteAddress', { value: address });
  }

  override _read(): void {
    // The request has no more bytes.
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    done();
  }

  override _writev(
    parts: { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[],
    done: () => void,
  ): void {
    for (const { chunk, encoding } of parts) this._write(chunk, encoding, () => undefined);
    done();
  }

  /** Returns the bytes after the head of the response. */
  body(): string {
    const bytes = Buffer.concat(this.chunks);
    const end = bytes.indexOf(END_OF_HEAD);
    return end < 0 ? '' : bytes.toString('utf8', end + END_OF_HEAD.length);
  }
}

/**
 * Runs another operation for the caller of a request, through all that a request passes: its access
 * level, validation, masking, the audit and the log of personal data. The key and its limits are
 * not checked again. The operation ends when the client of the calling request disconnects.
 * @throws Error if the operation cuts its answer off
 */
export function callOperation(
  { app, ip, res }: Request,
  principal: Principal,
  call: InternalCall,
): Promise<InternalAnswer> {
  const socket = new AnswerSocket(ip);
  const request = requestOf(socket, call, res === undefined ? '' : requestIdOf(res));
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  runAs(request, principal);
  return new Promise((resolve, reject) => {
    response.once('finish', () => {
      const retryAfter = response.getHeader('Retry-After');
      resolve({
        status: response.statusCode,
        retryAfter: retryAfter === undefined ? null : String(retryAfter),
        body: socket.body(),
      });
      socket.destroy();
    });
    response.once('close', () => {
      reject(new Error(`${call.method} ${call.target} was cut off`));
    });
    if (res !== undefined) {
      onResponseEnd(res, () => {
        socket.destroy();
      });
    }
    app(request, response);
  });
}

/** Returns a complete request of HTTP/1.0, whose answer is not chunked. */
function requestOf(
  socket: Socket,
  { method, target, body }: InternalCall,
  requestId: string,
): IncomingMessage {
  const request = new IncomingMessage(socket);
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  request.method = method;
  request.url = target;
  request.httpVersion = '1.0';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 0;
  request.headers = {
    'x-request-id': requestId,
    ...(bytes !== null && {
      'content-type': 'application/json',
      'content-length': String(bytes.length),
    }),
  };
  if (bytes !== null) request.push(bytes);
  request.push(null);
  request.complete = true;
  return request;
}
