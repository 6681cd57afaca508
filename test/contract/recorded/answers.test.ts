/** Compares the answers to fixed requests on a fixed ledger with a recording, to the byte. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../../../src/api/errors/catalogue.js';
import { createFixedLedger, type FixedLedger } from '../../support/recording/fixed-ledger.js';
import {
  comparedWith,
  differences,
  Recorder,
  sorted,
  textOf,
  type Recorded,
} from '../../support/recording/recording.js';
import { TestProcessor } from '../../support/servers/processor.js';
import { RunningService } from '../../support/servers/running-service.js';
import { EVERYWHERE } from './requests/everywhere.js';
import { LEDGER_1 } from './requests/ledger-1.js';
import { V2_0 } from './requests/v2.0.js';
import { V2_1 } from './requests/v2.1.js';
import { V3_0 } from './requests/v3.0.js';
import { WITHOUT_TABLE, WRITES } from './requests/writes.js';

const READS = {
  'v3.0': V3_0,
  'v2.1': V2_1,
  'v2.0': V2_0,
  'ledger-1': LEDGER_1,
  everywhere: EVERYWHERE,
};
const FILES = [...Object.keys(READS), 'writes'];
/** Addresses may get so many answers 401. */
const LIMITS = { TRUST_PROXY: '1', THROTTLE_FAILED_KEYS: '3/31d' };
/** No operation answers it. */
const UNREACHABLE = new Set(['no_content']);

let fixed: FixedLedger;
let processor: TestProcessor;
let service: RunningService;
const recordings = new Map<string, Recorded>();

beforeAll(async () => {
  fixed = await createFixedLedger();
  processor = await TestProcessor.start();
  const settings = { ...LIMITS, ...processor.environment };
  service = await RunningService.start(fixed.ledger, 1, settings);
  const recorder = new Recorder(service.port, fixed);
  for (const [name, requests] of Object.entries(READS)) {
    recordings.set(name, sorted(await recorder.record(requests)));
  }
  processor.expect([200, 422, 500]);
  const writes = await recorder.record(WRITES);
  await fixed.ledger.run('ALTER TABLE transactions RENAME TO gone');
  recordings.set('writes', new Map([...writes, ...(await recorder.record(WITHOUT_TABLE))]));
});
afterAll(async () => {
  await service.end();
  await processor.stop();
  await fixed.ledger.drop();
});

function recordingOf(name: string): Recorded {
  const recorded = recordings.get(name);
  if (recorded === undefined) throw new Error(`nothing was recorded for ${name}`);
  return recorded;
}

it.each(FILES)('answers as recorded: %s', (name) => {
  const file = join('test/contract/recorded', `${name}.txt`);
  expect(comparedWith(file, recordingOf(name))).toEqual([]);
});

it('records each code that HTTP can reach, and many requests', () => {
  const texts = FILES.map((name) => textOf(recordingOf(name))).join('');
  const missing = Object.entries(CATALOGUE).filter(([outcome, { http_status_code, code }]) => {
    const status = `"http_status_code":${http_status_code},"code":${code},`;
    return !UNREACHABLE.has(outcome) && !texts.includes(status);
  });
  expect(missing).toEqual([]);
  const counts = FILES.map((name) => recordingOf(name).size);
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(1_000);
});

describe('a recording differs', () => {
  const before = () => textOf(recordingOf('v3.0'));

  it.each([
    ['by a byte of a body', '"WHOLE"', '"WH0LE"'],
    ['by a header less', '\nX-API-Version: 3.0', ''],
    [
      'by the order of headers',
      'X-Request-Id: *\nX-API-Version: 3.0',
      'X-API-Version: 3.0\nX-Request-Id: *',
    ],
    ['by a status', 'HTTP/1.1 404 Not Found', 'HTTP/1.1 410 Gone'],
    ['by a request less', /=== GET .*\n/, ''],
  ])('%s', (_, from, to) => {
    const now = before().replace(from, to);
    expect(now).not.toBe(before());
    expect(differences(before(), now)).not.toEqual([]);
  });
});
