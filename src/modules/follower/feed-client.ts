import { setTimeout as wait } from 'node:timers/promises';
import type { FeedMeta } from '../../api/envelope/envelope.js';
import { isError } from '../../platform/errors/is-error.js';
import { isRecord, recordIn } from '../../platform/values/is-record.js';
import {
  FollowError,
  type Change,
  type Content,
  type CopyFile,
  type FeedPage,
} from './copy-file.js';

const PAGE_SIZE = 1_000;
/** Time limit of a request; longer than the service waits for a change. */
const ANSWER_MS = 60_000;
const FIRST_PAUSE_SECONDS = 1;
const MAX_PAUSE_SECONDS = 60;
/** Statuses for which a retry can succeed. */
const TRY_AGAIN = new Set([408, 429, 500, 502, 503, 504]);

interface ClientOptions {
  readonly url: string;
  readonly key: string;
  /** Aborts waits and requests. */
  readonly stopped: AbortSignal;
  readonly onProblem: (line: string) => void;
}

/**
 * Result of a request: a page, or the reason for a retry, with the seconds to wait if the service
 * requested them.
 */
type Outcome = FeedPage | { readonly problem: string; readonly retryAfter: number | null };

/** Reads the feed of changes of a service over HTTP. */
export class FeedClient {
  private readonly authorization: string;

  constructor(private readonly options: ClientOptions) {
    this.authorization = `Basic ${Buffer.from(`${options.key}:x`).toString('base64')}`;
  }

  /**
   * Reads the page after a cursor. Retries with growing pauses until the service answers.
   * @param waitSeconds how long the service may wait for a change
   * @throws FollowError if the service rejects the request
   */
  async pageAfter(cursor: string, waitSeconds: number, limit = PAGE_SIZE): Promise<FeedPage> {
    const query = `after=${cursor}&limit=${limit}&wait=${waitSeconds}`;
    for (let pause = FIRST_PAUSE_SECONDS; ; pause = Math.min(2 * pause, MAX_PAUSE_SECONDS)) {
      const outcome = await this.ask(query, cursor);
      if ('changes' in outcome) return outcome;
      const seconds = Math.min(outcome.retryAfter ?? pause, MAX_PAUSE_SECONDS);
      this.options.onProblem(`${outcome.problem}; trying again in ${seconds} s`);
      await wait(seconds * 1_000, undefined, { signal: this.options.stopped });
    }
  }

  private async ask(query: string, cursor: string): Promise<Outcome> {
    const { url, stopped } = this.options;
    let response: Response;
    let body: Content | null;
    try {
      response = await fetch(`${url}/ledger/v1/changes?${query}`, {
        headers: { Authorization: this.authorization },
        // A redirect could send the key to another server.
        redirect: 'error',
        signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWER_MS)]),
      });
      // A body that is no JSON object is rejected as a page.
      body = recordIn(await response.text());
    } catch (error) {
      stopped.throwIfAborted();
      return { problem: `no answer (${causeOf(error)})`, retryAfter: null };
    }
    if (response.status === 200) return feedPageOf(body, cursor);
    if (!TRY_AGAIN.has(response.status)) throw refused(response.status, body);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const retryAfter = seconds > 0 ? seconds : null;
    return { problem: `the service answered ${response.status}`, retryAfter };
  }
}

function refused(status: number, body: Content | null): FollowError {
  const meta = isRecord(body?.meta) ? body.meta.status : undefined;
  const { code, detail, message } = isRecord(meta) ? meta : {};
  if (code === 4001) {
    return new FollowError(
      'the service does not know the cursor of this file: it has another ledger, or was restored from a backup. Begin with a new file.',
    );
  }
  const told = typeof detail === 'string' ? detail : message;
  return new FollowError(
    `the service answered ${status}${typeof told === 'string' ? `: ${told}` : ''}`,
  );
}

function causeOf(error: unknown): string {
  const cause = isError(error) ? (error.cause ?? error) : error;
  return isError(cause) ? cause.message : String(cause);
}

/** @throws FollowError if the answer is not a page that follows the cursor */
function feedPageOf(answer: Content | null, after: string): FeedPage {
  if (!isRecord(answer?.meta) || !Array.isArray(answer.results)) throw noPage();
  const { cursor, has_more } = answer.meta;
  if (typeof cursor !== 'string' || typeof has_more !== 'boolean') throw noPage();
  const changes = answer.results.map(changeOf);
  let last = positionOf(after);
  for (const { sequence } of changes) {
    if (sequence <= last) throw new FollowError('the service sent changes out of their order');
    last = sequence;
  }
  if (!(positionOf(cursor) >= last))
    throw new FollowError('the service sent a cursor that goes back');
  return { changes, cursor, has_more };
}

/** Returns the sequence up to which a reader with a cursor has read: its first number. */
function positionOf(cursor: string): number {
  return Number.parseInt(cursor, 10);
}

function changeOf(result: unknown): Change {
  if (!isRecord(result)) throw noPage();
  const { sequence, kind } = result;
  if (typeof sequence !== 'number' || typeof kind !== 'string') throw noPage();
  const content = result[kind];
  if (!isRecord(content)) throw noPage();
  return { sequence, kind, content };
}

function noPage(): FollowError {
  return new FollowError('the service sent something that is no page of changes');
}

/** Longest time that the service waits for a change (docs/changes.md). */
const WAIT_SECONDS = 20;

interface FollowOptions {
  /** True to end when the copy is up to date. */
  readonly once: boolean;
  readonly onProgress: (progress: FollowProgress) => void;
}

export interface FollowProgress extends FeedMeta {
  readonly changes: number;
}

/**
 * Follows a ledger from the cursor of its copy.
 * @throws FollowError if it cannot continue
 */
export async function follow(
  client: FeedClient,
  copy: CopyFile,
  { once, onProgress }: FollowOptions,
): Promise<void> {
  await assertSameLedger(client, copy);
  for (let isCurrent = false; !(once && isCurrent);) {
    const after = copy.cursor;
    const page = await client.pageAfter(after, isCurrent ? WAIT_SECONDS : 0);
    copy.apply(page, after);
    const { changes, cursor, has_more } = page;
    isCurrent = !has_more;
    onProgress({ changes: changes.length, cursor, has_more });
  }
}

/**
 * Checks that the copy contains the first object of the feed, unless the object changed after the
 * cursor.
 */
async function assertSameLedger(client: FeedClient, copy: CopyFile): Promise<void> {
  if (copy.cursor === '0') return;
  const [first] = (await client.pageAfter('0', 0, 1)).changes;
  if (first === undefined || first.sequence > positionOf(copy.cursor) || copy.has(first)) return;
  throw new FollowError('the file is a copy of another ledger: use another file');
}
