import type { IncomingMessage, ServerResponse } from 'node:http';
import { PathCounts } from '../http/upstream-paths.js';
import { bodyOf, LocalHttps } from './local-https.js';
import type { StubContents } from './stub/contents.js';
import { StubOperations, type StubResult } from './stub/operations.js';
import type { StubWords } from './stub/presented.js';

export interface StubRequest {
  readonly method: string;
  /** The path with its query, as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface StubAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A body without an end, a request without a response, or a connection closed without one. */
export type StubFault = 'endless' | 'silent' | 'hung up';

/** Replaces a response, or delays it. */
export type StubHook = (
  request: StubRequest,
  answer: StubAnswer,
) => StubAnswer | StubFault | Promise<StubAnswer | StubFault>;

export const STUB_KEY = 'stub-upstream-key';
export const STUB_WORDS: StubWords = { service: 'acme', processor: 'paymenthouse' };

/**
 * An upstream that shares no code with this service. It is written from the description of the API
 * alone, and serves HTTPS from memory.
 */
export class StubUpstream {
  /** All requests, oldest first. */
  readonly requests: StubRequest[] = [];
  readonly counts = new PathCounts();
  hook: StubHook = (_, answer) => answer;
  private server: LocalHttps | undefined;
  private readonly operations: StubOperations;

  /** @param contents the records; a test may change them at any time */
  constructor(contents: StubContents, words = STUB_WORDS) {
    this.operations = new StubOperations(contents, words);
  }

  /** @returns settings that allow a mirror to call it */
  async start(): Promise<Readonly<Record<string, string>>> {
    this.server = await LocalHttps.start((request, response) => {
      // A client that disconnects early gets no response.
      this.answer(request, response).catch(() => response.destroy());
    });
    return this.server.settings;
  }

  /** The address of the upstream. */
  get url(): string {
    return this.server?.url ?? '';
  }

  stop(): void {
    this.server?.stop();
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = (await bodyOf(incoming)).toString('utf8');
    const request = { method, path, headers, body };
    this.requests.push(request);
    this.counts.add(method, path);
    const version = /^\/v(3\.0|2\.1|2\.0)\//.exec(path)?.[1] ?? '3.0';
    const result = refusalOf(headers.authorization) ?? this.operations.result(request);
    const answer = await this.hook(request, answerOf(result, version));
    if (answer === 'silent') return;
    if (answer === 'hung up') response.destroy();
    else if (answer === 'endless') pour(response);
    else {
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    }
  }
}

/**
 * Checks the credentials: the key is the user name, and the password is `x`
 * (docs/api.md#authentication).
 */
function refusalOf(authorization: string | undefined): StubResult | null {
  const [, credentials] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  if (credentials === undefined) {
    return { status: 401, code: 4010, message: 'API key is missing', results: [null] };
  }
  if (Buffer.from(credentials, 'base64').toString('utf8') === `${STUB_KEY}:x`) return null;
  return { status: 401, code: 4011, message: 'Invalid API key present', results: [null] };
}

/** Returns the response as an envelope, with a field that the API does not define. */
function answerOf({ status, code, message, results, meta }: StubResult, version: string) {
  const count = results.filter((result) => result !== null).length;
  const envelope = {
    results,
    meta: {
      served_by: 'node-7',
      ...meta,
      api_version: version,
      results_count: count,
      status: { detail: null, message, code, http_status_code: status },
    },
  };
  const headers = { 'Content-Type': 'application/json', 'X-API-Version': version };
  return { status, headers, body: JSON.stringify(envelope) };
}

/** Sends JSON without end, until the client stops reading. */
function pour(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const chunk = `"${'x'.repeat(65_536)}",`;
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  response.on('error', () => undefined);
  response.write('{"results":[');
  more();
}
