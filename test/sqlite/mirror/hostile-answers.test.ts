/** An upstream whose answers are wrong: one clear line, nothing written, and nothing lost once it is right. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dump } from '../../support/builders/test-ledger.js';
import {
  MirroredVendors,
  type Fault,
  type MirroredVendor,
} from '../../support/servers/mirrored-vendors.js';
import { endAll } from '../../support/servers/running-service.js';
import { STUB_KEY } from '../../support/servers/stub-upstream.js';
import { busy, odd, putOff } from '../../support/servers/stub/wrong-answers.js';

/** On a busy machine: many upstreams are added. */
const SETUP_MS = 300_000;
const ALL = /./;
const MINUTE_MS = 60_000;

const wrong = [...busy, ...putOff, ...odd];
const faultOf = (fault: Fault) => () => fault;

let mirrors: MirroredVendors;
let before: Dump;
let begun: number;

beforeAll(async () => {
  begun = Date.now();
  mirrors = await MirroredVendors.start(wrong.map(([, fault]) => faultOf(fault)));
  before = await mirrors.othersRows();
}, SETUP_MS);
afterAll(async () => {
  await mirrors.stop();
  await endAll();
});

function vendor(name: string): MirroredVendor {
  const found = mirrors.vendors[wrong.findIndex(([each]) => each === name)];
  if (found === undefined) throw new Error(`there is no vendor of ${name}`);
  return found;
}

function failed(name: string) {
  return mirrors.untilUpstream(vendor(name), ({ failures }) => Number(failures) > 0);
}

const isRead = ({ last_full, claim }: Dump[string][number]) => last_full !== null && claim === null;

describe('an answer that is wrong', () => {
  it.each(wrong.map(([name, , problem]) => [name, problem] as const))(
    '%s: is told in one line, and nothing is written',
    async (name, problem) => {
      const row = await failed(name);
      if (typeof problem === 'string') expect(row.problem).toBe(problem);
      else expect(row.problem).toMatch(problem);
      expect(row).toMatchObject({ state: 'active', run: 'full', last_full: null, listed: 0 });
      expect(await mirrors.salesOf(vendor(name))).toEqual([]);
    },
  );

  it.each(putOff.map(([name, , , minutes]) => [name, minutes] as const))(
    '%s: is not tried again before %i minutes have passed',
    async (name, minutes) => {
      const { next_try } = await failed(name);
      const tried = Date.parse(`${String(next_try)}Z`) - minutes * MINUTE_MS;
      expect(tried).toBeGreaterThanOrEqual(begun);
      expect(tried).toBeLessThan(Date.now() + MINUTE_MS);
    },
  );

  it('leads nowhere else', () => {
    const asked = vendor('a redirect').stub.requests.map(({ path }) => path);
    expect(asked.filter((path) => !path.startsWith('/v'))).toEqual([]);
  });

  it('changes nothing of others, and is in the log without the key', async () => {
    expect(await mirrors.othersRows()).toEqual(before);
    const lines = mirrors.service.lines(/An upstream cannot be read/);
    expect(lines.length).toBeGreaterThanOrEqual(wrong.length);
    const log = mirrors.service.lines(ALL).join('\n');
    const secrets = [STUB_KEY, Buffer.from(`${STUB_KEY}:x`).toString('base64')];
    for (const secret of secrets) expect(log).not.toContain(secret);
  });

  it('is told by the command that reads', async () => {
    const { status, stdout, stderr } = await mirrors.command(vendor('401'));
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(
      /^Upstream [^\n]+ failed in a row: the upstream does not accept the key: it answered 401\n$/,
    );
  });

  it('loses nothing: all is read once the answers are right', async () => {
    await mirrors.cure();
    for (const of of mirrors.vendors) {
      if (of === vendor('another name in the certificate')) continue;
      const row = await mirrors.untilUpstream(of, isRead);
      expect(row).toMatchObject({ problem: null, failures: 0 });
      expect(await mirrors.salesOf(of)).toEqual(of.sales);
    }
    expect(await mirrors.othersRows()).toEqual(before);
  });
});
