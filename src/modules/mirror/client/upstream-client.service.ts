import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Metrics } from '../../../platform/observability/metrics.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing-request.js';
import { OutgoingHttps } from '../../../platform/outgoing/outgoing-https.js';
import { AnswerThreadClient, AnswerThreadError } from './answer-thread-client.js';
import { UpstreamSecrets } from '../upstreams/upstream-secrets.js';
import type { Upstream } from '../upstreams/upstream.model.js';
import { CallPace, MAX_PAUSE_SECONDS } from './call-pace.js';
import {
  readAnswer,
  UpstreamError,
  type UpstreamAnswer,
  type UpstreamFault,
} from './upstream-answer.js';

const CALL_MS = 20_000;
const BODY_MS = 30_000;
const MEBIBYTE = 1_048_576;
/** A page of 200 transactions with texts of the maximum length is smaller and has 15,000 values. */
const LIST = { maxBytes: 16 * MEBIBYTE, maxValues: 100_000 };
/** One record with texts of the maximum length, with all characters escaped, is smaller. */
const ONE = { maxBytes: 4 * MEBIBYTE, maxValues: 20_000 };
/** Pauses before a call is repeated, in milliseconds. */
const READ_PAUSES = [200, 800, 3_000, 8_000] as const;
/** A client waits for the result of a change, so it is repeated once only. */
const CHANGE_PAUSES = [300] as const;
const MAX_PACES = 1_000;

/** The fields of an upstream that calls need. */
export type CalledUpstream = Pick<Upstream, 'id' | 'vendor_id' | 'url' | 'secret' | 'token'>;

interface Call {
  readonly method: 'GET' | 'PUT';
  readonly path: string;
  readonly body: string | null;
  readonly pauses: readonly number[];
  readonly bounds: typeof LIST;
}

/** Calls upstreams, at the pace that they set. */
@Injectable()
export class UpstreamClientService {
  private readonly paces = new LRUCache<number, CallPace>({
    max: MAX_PACES,
    memoMethod: () => new CallPace(),
  });
  private readonly counts: Record<UpstreamFault | 'answered', number> = {
    answered: 0,
    again: 0,
    key: 0,
    refused: 0,
    odd: 0,
  };

  constructor(
    private readonly outgoing: OutgoingHttps,
    private readonly secrets: UpstreamSecrets,
    private readonly thread: AnswerThreadClient,
    metrics: Metrics,
  ) {
    const help = 'Calls to upstreams by outcome.';
    metrics.counter('upstream_calls_total', help, 'outcome', () => this.counts);
  }

  /**
   * Reads from an upstream. Repeats a call without an answer for some seconds.
   * @param path from the version on, such as `/v3.0/transactions?page_index=0`
   * @returns null if the upstream has no such thing
   * @throws UpstreamError if the call fails
   */
  get(upstream: CalledUpstream, path: string, signal: AbortSignal): Promise<UpstreamAnswer | null> {
    return this.call(upstream, { ...reading(path), bounds: LIST }, signal);
  }

  /**
   * Reads one record like `get`, with the limits for one record.
   * @throws UpstreamError if the call fails
   */
  getOne(
    upstream: CalledUpstream,
    path: string,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer | null> {
    return this.call(upstream, { ...reading(path), bounds: ONE }, signal);
  }

  /**
   * Reads from a new upstream once, without a second attempt.
   * @returns false if the upstream has no such thing
   * @throws UpstreamError if the call fails
   */
  async answers(upstream: CalledUpstream, path: string): Promise<boolean> {
    const call = { ...reading(path), pauses: [], bounds: LIST };
    return (await this.call(upstream, call, new AbortController().signal)) !== null;
  }

  /**
   * Sends a change, which must be safe to send twice.
   * @returns null if the upstream has no such thing
   * @throws UpstreamError if the call fails; its fault is `again` if the upstream may have made the
   *   change
   */
  put(
    upstream: CalledUpstream,
    path: string,
    body: object,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer | null> {
    const text = JSON.stringify(body);
    const call = { method: 'PUT', path, body: text, pauses: CHANGE_PAUSES, bounds: ONE } as const;
    return this.call(upstream, call, signal);
  }

  private async call(upstream: CalledUpstream, call: Call, signal: AbortSignal) {
    for (let tried = 0; ; tried += 1) {
      try {
        const answer = await this.exchange(upstream, call, signal);
        this.counts.answered += 1;
        return answer;
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        this.counts[error.fault] += 1;
        const pause = call.pauses[tried];
        if (error.fault !== 'again' || pause === undefined || signal.aborted) throw error;
        if ((error.retrySeconds ?? 0) > MAX_PAUSE_SECONDS) throw error;
        await wait(pause * (1 + Math.random() / 4), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async exchange(
    upstream: CalledUpstream,
    { method, path, body, bounds }: Call,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer | null> {
    const pace = this.paces.memo(upstream.id);
    try {
      await pace.turn(signal);
      const call = {
        method,
        path,
        body,
        signal,
        headers: this.headersFor(upstream, body),
        account: upstream.vendor_id,
        ms: CALL_MS,
        bodyMs: BODY_MS,
        maxBytes: bounds.maxBytes,
      };
      return await this.outgoing.exchange(upstream.url, call, (head, bytes) => {
        pace.note(head.headers, head.status);
        return readAnswer(head, bytes, { thread: this.thread, maxValues: bounds.maxValues });
      });
    } catch (error) {
      if (signal.aborted) throw new UpstreamError('again', 'the service stops');
      if (error instanceof OutgoingError)
        throw new UpstreamError('again', error.message, null, true);
      if (error instanceof AnswerThreadError)
        throw new UpstreamError('again', 'the answer could not be read', null, true);
      throw error;
    }
  }

  private headersFor(upstream: CalledUpstream, body: string | null): Record<string, string> {
    const credentials = Buffer.from(`${this.secrets.keyOf(upstream)}:x`).toString('base64');
    return {
      Authorization: `Basic ${credentials}`,
      Accept: 'application/json',
      'User-Agent': 'vendor-reporting-api',
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    };
  }
}

function reading(path: string): Omit<Call, 'bounds'> {
  return { method: 'GET', path, body: null, pauses: READ_PAUSES };
}
