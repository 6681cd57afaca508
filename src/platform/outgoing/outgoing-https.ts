import { request, type RequestOptions } from 'node:https';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { shownText } from '../values/shown-text.js';
import type { AllowedHosts } from './allowed-hosts.js';
import { AnswerBody } from './answer-body.js';
import { AnswerBudget } from './answer-budget.js';
import {
  connecting,
  ConnectionAgent,
  type AccountRequestOptions,
} from './connections/connection-agent.js';
import { OutgoingConnections, type Destination } from './connections/outgoing-connections.js';
import type { NameLookup } from './connections/host-names.js';
import { OutgoingError } from './outgoing-error.js';
import { headOf } from './outgoing-request.js';

/** Number of bytes of an answer's body that are kept. */
const KEPT_BYTES = 1_024;
/** Time for reading the body after the head of an answer, which already decides the outcome. */
const BODY_MS = 1_000;
const MAX_HEAD_BYTES = 8_192;

/**
 * Time for which an idle connection is kept. `MAX_CONNECTIONS` limits the connections of an account
 * to a server; further calls wait.
 */
const IDLE_MS = 15_000;
const MAX_CONNECTIONS = 8;

interface OutgoingCall {
  /** User who chose the URL. */
  readonly account: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit from the lookup of the host name to the head of the answer. */
  readonly ms: number;
  readonly signal: AbortSignal;
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Null if the header is missing, or is not a number of seconds. */
  readonly retryAfterSeconds: number | null;
  /** Beginning of the body, escaped for a terminal. */
  readonly text: string;
}

/** Stands for the path of an invalid URL, which is not called. */
const EMPTY_PATH = { pathname: '', search: '' };

/** A call whose whole answer is read. */
interface OutgoingExchange extends Omit<OutgoingCall, 'body'> {
  readonly method: 'GET' | 'PUT';
  /** Encoded path that follows the path of the URL. It is sent unchanged, including dots. */
  readonly path: string;
  readonly body: string | null;
  /** Time limit from the head of the answer to its end. */
  readonly bodyMs: number;
  readonly maxBytes: number;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Reads an answer as it arrives; it may leave the rest of it unread. */
type ReadBody<Result> = (head: AnswerHead, body: AsyncIterable<Buffer>) => Promise<Result>;

/** Calls servers that users chose, over HTTPS, without redirects and without a proxy. */
export class OutgoingHttps {
  private readonly connections: OutgoingConnections;
  private readonly agent: ConnectionAgent;
  private readonly budget = new AnswerBudget();

  constructor(
    private readonly hosts: AllowedHosts,
    names: NameLookup,
  ) {
    this.connections = new OutgoingConnections(names, hosts);
    this.agent = new ConnectionAgent(this.connections, {
      keepAlive: true,
      timeout: IDLE_MS,
      maxSockets: MAX_CONNECTIONS,
      maxFreeSockets: MAX_CONNECTIONS,
      scheduling: 'lifo',
    });
  }

  /** Returns null if a URL can be called, or else the problem. */
  problemOfUrl(url: string): string | null {
    return this.hosts.problemOf(url);
  }

  /**
   * Sends a body on a separate connection, and reads the beginning of the answer.
   * @throws OutgoingError if there is no answer in time, or the server may not be called
   */
  async post(url: string, call: OutgoingCall): Promise<OutgoingAnswer> {
    const { pathname, search } = URL.canParse(url) ? new URL(url) : EMPTY_PATH;
    const path = `${pathname}${search}`;
    const options = { method: 'POST', ...this.ownConnection(call), path };
    const { sent, response } = await this.send(url, call, options);
    const text = await new Promise<string>((resolve) => {
      readBeginning(response, resolve);
    });
    sent.destroy();
    const { statusCode = 0 } = response;
    return { status: statusCode, retryAfterSeconds: retryAfterOf(response), text };
  }

  /**
   * Reads an answer as it arrives, on a connection that is kept for the next call if the whole
   * answer was read.
   * @param read receives the answer; its bytes count as held until it has ended
   * @throws OutgoingError if the answer does not arrive in time or is too long, or if the server
   * may not be called; errors of `read` are passed on
   */
  async exchange<Result>(
    url: string,
    call: OutgoingExchange,
    read: ReadBody<Result>,
  ): Promise<Result> {
    const { pathname } = URL.canParse(url) ? new URL(url) : EMPTY_PATH;
    const path = `${pathname.endsWith('/') ? pathname.slice(0, -1) : pathname}${call.path}`;
    // A change gets its own connection, because a user waits for it, and must not wait for calls
    // that read.
    const connection = call.method === 'PUT' ? this.ownConnection(call) : { agent: this.agent };
    const options = { method: call.method, ...connection, path };
    const { sent, response } = await this.send(url, call, options);
    const body = new AnswerBody(sent, response, call);
    const held = this.budget.begin(call.account, () => {
      body.refuse('too much is read at a time');
    });
    response.on('end', () => (held.isComing = false));
    try {
      const bytes = body.bytes((count) => {
        this.budget.add(held, count);
      });
      return await read({ status: response.statusCode ?? 0, headers: response.headers }, bytes);
    } finally {
      this.budget.end(held);
      body.end();
    }
  }

  private ownConnection({ account }: Pick<OutgoingCall, 'account'>) {
    const open = (destination: Destination) => this.connections.secure(destination);
    return { createConnection: connecting(open, account) };
  }

  /** @returns the head of the answer; its body is not read yet */
  private async send(
    url: string,
    call: Omit<OutgoingCall, 'body'> & { readonly body: string | null },
    options: RequestOptions,
  ): Promise<{ sent: ClientRequest; response: IncomingMessage }> {
    const problem = this.hosts.problemOf(url);
    if (problem !== null) throw new OutgoingError(`the URL ${problem}`);
    const { account, body } = call;
    const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const all: AccountRequestOptions = {
      ...options,
      account,
      maxHeaderSize: MAX_HEAD_BYTES,
      headers: { ...call.headers, ...length },
    };
    const sent = request(new URL(url), all);
    return { sent, response: await headOf(sent, body, call) };
  }
}

/** Calls back once, with the text that arrived within the limits. */
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
