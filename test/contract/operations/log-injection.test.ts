import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HOSTILE } from '../../../testing/src/hostile/hostile-texts.js';
import { basic, send } from '../../support/http/http.js';
import { sendable } from '../../../testing/src/hostile/injection-points.js';
import { user } from '../../support/builders/ledger-records.js';
import { exchange, head } from '../../support/http/raw-http.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

const TEXTS = Object.values(HOSTILE).flat();
const HEADERS = ['X-Request-Id', 'User-Agent', 'traceparent', 'tracestate', 'X-Forwarded-For'];
const PATHS = ['/v3.0/transactions/', '/v3.0/transactions?page=', '/'];

let ledger: TestLedger;
let key: string;

beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(1)]);
  key = await ledger.key(1);
});
afterEach(endAll);
afterAll(() => ledger.drop());

/**
 * Sends every text in every place that a log may repeat.
 * @returns the log lines that result
 */
async function linesAfterAll(
  environment: Record<string, string>,
  request: RegExp,
): Promise<string[]> {
  const service = await RunningService.start(ledger, 1, environment);
  const linesBefore = service.lines(/./).length;
  for (const text of TEXTS) {
    const path = `${PATHS[text.length % PATHS.length] ?? ''}${encodeURIComponent(text)}`;
    const headers = Object.fromEntries(HEADERS.map((name) => [name, sendable(text)]));
    await send(service.port, { path, headers: { ...headers, ...basic(key) } });
  }
  for (const byte of ['\u001b[2J', '\b', '\u007f', '\u0085', 'a\rb']) {
    const lines = HEADERS.map((name) => `${name}: ${byte}`);
    const bytes = head('GET /v3.0 HTTP/1.1', 'Host: a', 'Connection: close', ...lines);
    await exchange(service.port, Buffer.from(bytes, 'latin1'));
  }
  await until('the lines', () => service.lines(request).length >= TEXTS.length);
  return service.lines(/./).slice(linesBefore);
}

describe('the log, whatever a client sends,', () => {
  it('has one JSON object per line in production, each with the usual fields', async () => {
    const environment = { NODE_ENV: 'production', REQUIRE_HTTPS: 'off', LOG_LEVEL: 'debug' };
    const lines = await linesAfterAll(environment, /"context":"Request"/);
    for (const line of lines) {
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      const { message, ...around } = JSON.parse(line) as { message: object };
      expect(around).toMatchObject({ level: 'log', context: 'Request' });
      expect(Object.keys(around).sort()).toEqual(['context', 'level', 'pid', 'timestamp']);
      expect(Object.keys(message)).toEqual([
        'requestId',
        'applicationId',
        'method',
        'operation',
        'version',
        'status',
        'code',
        'durationMs',
        'aborted',
      ]);
    }
  });

  it('has one line per request in development, in the usual format', async () => {
    const form =
      /^GET (?:[a-z]+|\/v3\.0(?:\/transactions(?:\/\{transaction_id\})?)?) \d{3} \d{4} [\d.]+ ms, (?:no key|application 1), [A-Za-z0-9._-]+$/;
    const lines = await linesAfterAll({ NODE_ENV: 'development' }, /^GET /);
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
  });
});
