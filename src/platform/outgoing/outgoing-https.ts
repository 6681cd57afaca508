import { request, type RequestOptions } from 'node:https';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { shownText } from '../values/shown-text.js';
import type { AllowedHosts } from './allowed-hosts.js';
import {
  OutgoingConnections,
  ConnectionAgent,
  type AccountRequestOptions,
} from './outgoing-connections.js';
import type { NameLookup } from './host-names.js';
import { headOf, OutgoingError } from './outgoing-request.js';

/** Maximum number of bytes of answers that a process holds at the same time. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The bytes of one answer that are held in memory. */
interface HeldBytes {
  bytes: number;
  /** False once the whole answer has arrived, because its bytes are released soon. */
  isComing: boolean;
  readonly account: number;
  readonly giveUp: () => void;
}

/**
 * Limits the memory of answers that are being read. If the limit is exceeded, the account that
 * holds most loses an answer, so that no account prevents others from reading theirs.
 */
export class AnswerBudget {
  private readonly held = new Set<HeldBytes>();
  private total = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** @param giveUp stops reading the answer */
  begin(account: number, giveUp: () => void): HeldBytes {
    const held = { account, giveUp, bytes: 0, isComing: true };
    this.held.add(held);
    return held;
  }

  add(held: HeldBytes, bytes: number): void {
    if (!this.held.has(held)) return;
    held.bytes += bytes;
    this.total += bytes;
    while (this.total > this.maxBytes) {
      const largest = this.largest() ?? held;
      this.end(largest);
      largest.giveUp();
    }
  }

  end(held: HeldBytes): void {
    if (this.held.delete(held)) this.total -= held.bytes;
  }

  /** Returns the largest answer of the account that holds most. */
  private largest(): HeldBytes | undefined {
    const coming = [...this.held].filter(({ isComing }) => isComing);
    const sums = new Map<number, number>();
    for (const { account, bytes } of coming) sums.set(account, (sums.get(account) ?? 0) + bytes);
    const rank = ({ account }: HeldBytes) => sums.get(account) ?? 0;
    return coming.sort((one, other) => rank(other) - rank(one) || other.bytes - one.bytes)[0];
  }
}

interface Limits {
  /** Time limit from the head of the answer to its end. */
  readonly bodyMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Reads the body of an answer within limits. */
class AnswerBody {
  /** Reason why reading stopped before the end of the body; null if it did not. */
  private refusal: OutgoingError | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly stop = () => {
    this.refuse('the service stops');
  };

  constructor(
    private readonly sent: ClientRequest,
    private readonly response: IncomingMessage,
    private readonly limits: Limits,
  ) {
    const { bodyMs, signal } = limits;
    this.timer = setTimeout(() => {
      this.refuse(`the answer did not end within ${Math.round(bodyMs / 1_000)} s`);
    }, bodyMs);
    signal.addEventListener('abort', this.stop, { once: true });
    if (signal.aborted) this.stop();
    // The response fails as well, but reports only that it ended early.
    sent.on('error', () => undefined);
    response.on('error', () => undefined);
  }

  /** Stops reading. */
  refuse(problem: string): void {
    this.refusal ??= new OutgoingError(problem);
    this.sent.destroy();
  }

  /**
   * Yields the bytes of the body as they arrive.
   * @param onBytes called with the number of bytes, before they are yielded
   * @throws OutgoingError if the body is too long, takes too long, ends early, or the service stops
   */
  async *bytes(onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
    const { maxBytes } = this.limits;
    let length = 0;
    try {
      for await (const chunk of this.response as AsyncIterable<Buffer>) {
        length += chunk.length;
        if (length > maxBytes) this.refuse('the answer is too long');
        else onBytes(chunk.length);
        if (this.refusal !== null) break;
        yield chunk;
      }
    } catch {
      this.refuse('the answer ended early');
    }
    if (!this.response.complete) this.refuse('the answer ended early');
    if (this.refusal !== null) throw this.refusal;
  }

  /** Keeps the connection for further calls if the whole answer has arrived. */
  end(): void {
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener('abort', this.stop);
    if (this.response.complete) this.response.resume();
    else this.sent.destroy();
  }
}

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
    const createConnection = this.connections.createFor(call.account);
    const options = { method: 'POST', createConnection, path };
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
    const connection =
      call.method === 'PUT'
        ? { createConnection: this.connections.createFor(call.account) }
        : { agent: this.agent };
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
