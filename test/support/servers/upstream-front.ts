import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { PathCounts } from '../http/upstream-paths.js';
import { send, type Answer } from '../http/http.js';
import { bodyOf, LocalHttps } from './local-https.js';

/** Kinds of failures. Failing requests use them in turn, in this order. */
const FAILURES = ['500', '429', 'cut off'] as const;
type Failure = (typeof FAILURES)[number];

/** Headers that apply to one connection only. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/**
 * An HTTPS proxy in front of an instance of our service, as operators run it. A mirror uses it as
 * its upstream. It can disturb requests.
 */
export class UpstreamFront {
  /** One in this many requests fails; 0 means none. */
  failEvery = 0;
  /** If true, the connection of every request is closed. */
  isDown = false;
  /** Counts all requests, including failed ones. */
  readonly counts = new PathCounts();
  /** Number of failed requests by kind of failure. */
  readonly failed: Record<Failure, number> = { '500': 0, '429': 0, 'cut off': 0 };
  private server: LocalHttps | undefined;
  private readonly agent = new Agent({ keepAlive: true });
  private sinceFailure = 0;
  private failures = 0;
  /** Callbacks of the requests that wait for `resume`, or null if requests do not wait. */
  private held: (() => void)[] | null = null;

  /** @param target port of the instance; it may change after a restart */
  constructor(public target: number) {}

  /** @returns settings that allow a mirror to call it */
  async start(): Promise<Readonly<Record<string, string>>> {
    this.server = await LocalHttps.start((request, response) => {
      this.answer(request, response).catch(() => {
        // The instance is not running, or ended during this request.
        if (!response.headersSent) response.writeHead(502);
        response.end();
      });
    });
    return this.server.settings;
  }

  /** The address of the upstream. */
  get url(): string {
    return this.server?.url ?? '';
  }

  /** Accepts requests from now on without responding. */
  pause(): void {
    this.held ??= [];
  }

  /** Responds to waiting and new requests again. */
  resume(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const goOn of held) goOn();
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return this.held?.length ?? 0;
  }

  /** Closes all connections, old and new, until `isDown` is false again. */
  goDown(): void {
    this.isDown = true;
    this.server?.closeConnections();
  }

  stop(): void {
    this.server?.stop();
    this.agent.destroy();
    this.resume();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    this.counts.add(method, path);
    if (this.isDown) {
      response.destroy();
      return;
    }
    const body = await bodyOf(request);
    await this.turn();
    const failure = this.nextFailure();
    if (failure === '500' || failure === '429') {
      fail(response, failure);
      return;
    }
    const headers = headersFor(request);
    const answer = await send(this.target, { method, path, headers, body }, this.agent);
    handBack(answer, response, failure === 'cut off');
  }

  private async turn(): Promise<void> {
    while (this.held !== null) {
      const { held } = this;
      await new Promise<void>((resolve) => held.push(resolve));
    }
  }

  private nextFailure(): Failure | null {
    if (this.failEvery === 0) return null;
    this.sinceFailure += 1;
    if (this.sinceFailure < this.failEvery) return null;
    this.sinceFailure = 0;
    const failure = FAILURES[this.failures % FAILURES.length] ?? '500';
    this.failures += 1;
    this.failed[failure] += 1;
    return failure;
  }
}

function headersFor({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!HOP_HEADERS.has(name.toLowerCase())) headers[name] = value;
  }
  return headers;
}

function fail(response: ServerResponse, failure: '500' | '429'): void {
  const retry: Record<string, string> = failure === '429' ? { 'Retry-After': '1' } : {};
  response.writeHead(Number(failure), { 'Content-Type': 'text/plain', ...retry });
  response.end('not now');
}

function handBack({ status, headers, body }: Answer, response: ServerResponse, cut: boolean): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_HEADERS.has(name)) response.setHeader(name, value);
  }
  const hasBody = response.req.method !== 'HEAD' && status !== 204 && status !== 304;
  if (hasBody) response.setHeader('Content-Length', body.length);
  response.writeHead(status);
  if (!cut) {
    response.end(body);
    return;
  }
  // The connection ends once the written bytes are sent, so that the client receives half of the
  // body.
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}
