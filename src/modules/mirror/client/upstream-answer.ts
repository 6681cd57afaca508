import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerHead } from '../../../platform/outgoing/outgoing-https.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { integerIn } from '../records/sent-fields.model.js';
import type { AnswerThreadClient } from './answer-thread-client.js';
import { retrySecondsOf } from './call-pace.js';

/**
 * Classifies a failed call. `again`: there was no answer, or the upstream is too busy. `key`: the
 * key is not accepted. `refused`: the call was rejected. `odd`: the answer does not follow the API.
 */
export type UpstreamFault = 'again' | 'key' | 'refused' | 'odd';

/**
 * Thrown if a call to an upstream fails. The message is written for users: `the upstream answered
 * 500`.
 */
export class UpstreamError extends Error {
  constructor(
    readonly fault: UpstreamFault,
    message: string,
    /** Seconds until the next attempt, if the upstream sends them. */
    readonly retrySeconds: number | null = null,
    /**
     * True if the upstream may answer other calls, because some services fail for one record alone.
     */
    readonly isPerhapsOfOne = false,
  ) {
    super(message);
  }
}

/** Returns the error for an answer about another record than the requested one. */
export function anotherThing(what: string): UpstreamError {
  return odd(`the upstream answered with another ${what}`);
}

/** Returns true if the fault concerns one record. Otherwise no record can be read now. */
export function isOfOneRecord(error: unknown): error is UpstreamError {
  return error instanceof UpstreamError && (error.fault === 'odd' || error.fault === 'refused');
}

/** Returns true if the fault may concern one record. Another call then shows whether it does. */
export function isPerhapsOfOneRecord(error: unknown): error is UpstreamError {
  return isOfOneRecord(error) || (error instanceof UpstreamError && error.isPerhapsOfOne);
}

/**
 * Returns a fault that may concern one record.
 * @throws any other error
 */
export function faultOfOneRecord(error: unknown): UpstreamError {
  if (isPerhapsOfOneRecord(error)) return error;
  throw error;
}

/** Holds the content of a successful answer of an upstream. It is not checked yet. */
export interface UpstreamAnswer {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly results: readonly unknown[];
}

const SUCCESS = 2000;
const NOT_FOUND = 4040;

/** Defines the thread and the limit for reading an answer. */
interface Reading {
  readonly thread: Pick<AnswerThreadClient, 'read'>;
  /** Maximum number of fields and items of lists. */
  readonly maxValues: number;
}

/**
 * Reads the envelope of an answer.
 * @returns null if the upstream has no such thing
 * @throws UpstreamError if the answer is an error or is malformed; any error of `body`
 */
export async function readAnswer(
  head: AnswerHead,
  body: AsyncIterable<Uint8Array>,
  reading: Reading,
): Promise<UpstreamAnswer | null> {
  const { status } = head;
  refuseByHead(head);
  if (status === 204) return { meta: {}, results: [] };
  if (!isJson(head.headers)) throw odd('the upstream answered with something other than JSON');
  const { meta, results } = await envelopeOf(body, reading);
  const code = integerIn(meta.status.code);
  if (status === 404 && code === NOT_FOUND) return null;
  if (status >= 400) throw new UpstreamError('refused', `the upstream answered ${status}`);
  if (code !== SUCCESS) throw odd('the upstream answered 200 with the envelope of an error');
  return { meta, results };
}

/** @throws UpstreamError if the status alone shows the fault, so that the body need not be read */
function refuseByHead({ status, headers }: AnswerHead): void {
  const retry = retrySecondsOf(headers);
  if (status === 429) throw new UpstreamError('again', 'the upstream asks to wait', retry);
  if (status >= 500) {
    throw new UpstreamError('again', `the upstream answered ${status}`, retry, retry === null);
  }
  if (status === 401 || status === 403) {
    const message = `the upstream does not accept the key: it answered ${status}`;
    throw new UpstreamError('key', message, null, status === 403);
  }
  if (status >= 300 && status < 400) {
    throw odd(`the upstream answered ${status}, and redirects are not followed`);
  }
}

async function envelopeOf(body: AsyncIterable<Uint8Array>, { thread, maxValues }: Reading) {
  const read = await thread.read(body, maxValues);
  if (typeof read === 'string') throw odd(`the upstream answered with a body that ${read}`);
  const { meta, results } = read;
  if (!isRecord(meta) || !isRecord(meta.status) || results === null) {
    throw odd('the upstream answered without the envelope of the interface');
  }
  return { meta: { ...meta, status: meta.status }, results };
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return /^application\/(?:[a-z.-]+\+)?json(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** Returns the error for an answer that does not follow the API. */
export function odd(message: string): UpstreamError {
  return new UpstreamError('odd', message);
}

/**
 * Encodes a key as a part of a path. Dots alone are encoded too, because servers read them as
 * folders.
 */
export function pathPart(key: string): string {
  return /^\.{1,2}$/.test(key) ? key.replaceAll('.', '%2E') : encodeURIComponent(key);
}
