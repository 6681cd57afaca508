import { Agent, request } from 'node:https';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { codeOf, isError } from '../common/errors/is-error.js';
import { shownText } from '../common/shown-text.js';
import { addressOf, type AllowedHosts } from './allowed-hosts.js';
import { OutgoingError } from './outgoing-error.js';
import { readWhole } from './whole-body.js';

/** What is kept of the body of an answer. */
const KEPT_BYTES = 1_024;
/** After the head of an answer, which decides, its body is read for so long. */
const BODY_MS = 1_000;
const MAX_HEAD_BYTES = 8_192;
/** Before the answer, such as 103 Early Hints. */
const MAX_HINTS = 10;

/** How long an idle connection is kept, and how many of a server are. */
const IDLE_MS = 15_000;
const MAX_CONNECTIONS = 8;

export interface OutgoingCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the lookup of the name to the head of the answer. */
  readonly ms: number;
  readonly signal: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Null if there is none, or not in seconds. */
  readonly retryAfterSeconds: number | null;
  /** The beginning of the body, harmless on a terminal. */
  readonly text: string;
}

/** Of what is no URL, and is not called. */
const EMPTY_PATH = { pathname: '', search: '' };

/** A call whose whole answer is wanted. */
export interface OutgoingExchange extends Omit<OutgoingCall, 'body'> {
  readonly method: 'GET' | 'PUT';
  /** After that of the URL, encoded. It is sent as it is, dots as well. */
  readonly path: string;
  readonly body: string | null;
  /** From the head of the answer to its end. */
  readonly bodyMs: number;
  readonly maxBytes: number;
}

export interface ExchangedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Calls servers of others over HTTPS. No redirects and no proxy. */
export class OutgoingHttps {
  private readonly agent = new Agent({
    ...{ keepAlive: true, timeout: IDLE_MS, maxSockets: MAX_CONNECTIONS },
    ...{ maxFreeSockets: MAX_CONNECTIONS, scheduling: 'lifo' },
  });

  constructor(private readonly hosts: AllowedHosts) {}

  /** Null if a URL can be called; otherwise what it must be. */
  problemOfUrl(url: string): string | null {
    return this.hosts.problemOf(url);
  }

  /**
   * Sends a body on a connection of its own, and reads the beginning of the answer.
   * @throws OutgoingError if there is no answer in time, or the server may not be called
   */
  async post(url: string, call: OutgoingCall): Promise<OutgoingAnswer> {
    const { pathname, search } = URL.canParse(url) ? new URL(url) : EMPTY_PATH;
    const options = { method: 'POST', agent: false, path: `${pathname}${search}` } as const;
    const { sent, response } = await this.send(url, call, options);
    const text = await new Promise<string>((resolve) => {
      readBeginning(response, resolve);
    });
    sent.destroy();
    const { statusCode = 0 } = response;
    return { status: statusCode, retryAfterSeconds: retryAfterOf(response), text };
  }

  /**
   * Gets a whole answer, on a connection that is kept for the next call.
   * @throws OutgoingError if it does not come in time or is too long, or the server may not be called
   */
  async exchange(url: string, call: OutgoingExchange): Promise<ExchangedAnswer> {
    const { pathname } = URL.canParse(url) ? new URL(url) : EMPTY_PATH;
    const path = `${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${call.path}`;
    const options = { method: call.method, agent: this.agent, path };
    const { sent, response } = await this.send(url, call, options);
    const body = await readWhole(sent, response, call);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** @returns the head of the answer; the body is still to be read */
  private send(
    url: string,
    call: Omit<OutgoingCall, 'body'> & { readonly body: string | null },
    options: { readonly method: string; readonly agent: Agent | false; readonly path: string },
  ): Promise<{ sent: ClientRequest; response: IncomingMessage }> {
    const problem = this.hosts.problemOf(url);
    if (problem !== null) return Promise.reject(new OutgoingError(`the URL ${problem}`));
    const target = new URL(url);
    const length = call.body === null ? {} : { 'Content-Length': Buffer.byteLength(call.body) };
    return new Promise((resolve, reject) => {
      const sent = request(target, {
        ...{ ...options, maxHeaderSize: MAX_HEAD_BYTES },
        lookup: this.hosts.lookupFor(target.port),
        headers: { ...call.headers, ...length },
      });
      const end = endingOf(sent, call, reject);
      this.checkAddress(sent, target);
      limitHints(sent);
      sent.on('response', (response) => {
        end();
        resolve({ sent, response });
      });
      sent.end(call.body ?? undefined);
    });
  }

  /** A connection that is used again was checked when it was made. */
  private checkAddress(sent: ClientRequest, target: URL): void {
    sent.on('socket', (socket) => {
      if (!socket.connecting) return;
      socket.once('connect', () => {
        const { remoteAddress } = socket;
        if (remoteAddress !== undefined && this.isExpected(target, remoteAddress)) return;
        sent.destroy(new OutgoingError('the address is not public'));
      });
    });
  }

  private isExpected(target: URL, remoteAddress: string): boolean {
    const literal = addressOf(target);
    return this.hosts.isAllowed(literal ?? remoteAddress) && this.hosts.isAllowed(remoteAddress);
  }
}

/** Ends a call that takes too long, or is not wanted any more. @returns to be called at the answer */
function endingOf(
  sent: ClientRequest,
  { ms, signal }: Pick<OutgoingCall, 'ms' | 'signal'>,
  reject: (error: OutgoingError) => void,
): () => void {
  const stop = () => sent.destroy(new OutgoingError('the service stops'));
  const timer = setTimeout(() => {
    sent.destroy(new OutgoingError(`no answer within ${Math.round(ms / 1_000)} s`));
  }, ms);
  // Not every end is an error: after a 101 the connection is closed without one.
  const close = () => {
    end();
    reject(new OutgoingError('the connection was closed before an answer'));
  };
  const end = () => {
    clearTimeout(timer);
    sent.off('close', close);
    signal.removeEventListener('abort', stop);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  sent.on('close', close);
  sent.on('error', (error) => {
    end();
    reject(error instanceof OutgoingError ? error : new OutgoingError(reasonOf(error)));
  });
  return end;
}

function limitHints(sent: ClientRequest): void {
  let hints = 0;
  sent.on('information', () => {
    hints += 1;
    if (hints > MAX_HINTS) sent.destroy(new OutgoingError('hints come without an answer'));
  });
}

/** Calls back once: with all that came within the limits. */
function readBeginning(response: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => {
    clearTimeout(timer);
    response.removeAllListeners('data');
    const bytes = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
    done(shownText(bytes.toString('utf8')));
  };
  const timer = setTimeout(finish, BODY_MS);
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= KEPT_BYTES) finish();
  });
  response.once('end', finish);
  response.once('error', finish);
}

function retryAfterOf({ headers }: IncomingMessage): number | null {
  const text = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name was not found',
  EAI_AGAIN: 'the name was not found',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  HPE_HEADER_OVERFLOW: 'the head of the answer is too long',
};

function reasonOf(error: Error): string {
  const code = codeOf(isError(error) ? error : undefined) ?? '';
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  if (/CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code))
    return `the certificate or the TLS handshake failed (${code})`;
  return 'the call failed';
}
