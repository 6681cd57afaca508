import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../../common/validation/is-record.js';
import { parseRecord } from '../../../ledger-format/parse-record.js';
import { withoutMark } from '../../../ledger-format/utf8-bytes.js';
import type { ExchangedAnswer } from '../../../outgoing/outgoing-https.js';
import { integerIn } from '../convert/sent-fields.model.js';
import { retrySecondsOf } from './call-pace.js';
import type { UpstreamAnswer } from './upstream-answer.model.js';
import { UpstreamError } from './upstream-error.model.js';

const SUCCESS = 2000;
const NOT_FOUND = 4040;
/** 200 transactions have 15,000. Beyond a million, parsing takes seconds and hundreds of megabytes. */
const MAX_PARTS = 300_000;

/**
 * Reads the envelope of an answer.
 * @returns null if the upstream says that there is no such thing
 * @throws UpstreamError
 */
export function readAnswer(answer: ExchangedAnswer): UpstreamAnswer | null {
  const { status, headers } = answer;
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
  if (status === 204) return { meta: {}, results: [] };
  const { meta, results } = envelopeOf(answer);
  const code = integerIn(meta.status.code);
  if (status === 404 && code === NOT_FOUND) return null;
  if (status >= 400) throw new UpstreamError('refused', `the upstream answered ${status}`);
  if (code !== SUCCESS) throw odd('the upstream answered 200 with the envelope of an error');
  return { meta, results };
}

function envelopeOf({ headers, body }: ExchangedAnswer) {
  if (!isJson(headers)) throw odd('the upstream answered with something other than JSON');
  const parsed = parseRecord(withoutMark(body), MAX_PARTS);
  if (typeof parsed === 'string') throw odd(`the upstream answered with a body that ${parsed}`);
  const { meta, results } = parsed;
  if (!isRecord(meta) || !isRecord(meta.status) || !Array.isArray(results)) {
    throw odd('the upstream answered without the envelope of the interface');
  }
  return { meta: { ...meta, status: meta.status }, results: [...(results as unknown[])] };
}

function isJson(headers: IncomingHttpHeaders): boolean {
  return /^application\/(?:[a-z.-]+\+)?json(?:;|$)/i.test(headers['content-type'] ?? '');
}

function odd(message: string): UpstreamError {
  return new UpstreamError('odd', message);
}
