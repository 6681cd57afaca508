/**
 * Upstreams with invalid answers or records: the problem is reported, nothing else changes, and
 * nothing is lost.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dump } from '../../support/builders/test-ledger.js';
import {
  MirroredVendors,
  type Fault,
  type MirroredVendor,
} from '../../support/servers/mirrored-vendors.js';
import { endAll, until } from '../../support/servers/running-service.js';
import { STUB_KEY } from '../../support/servers/stub-upstream.js';
import { busy, odd, putOff } from '../../support/servers/stub/wrong-answers.js';
import {
  faultsOfRecords,
  listed,
  SECRET_VALUES,
} from '../../support/servers/stub/wrong-records.js';

/** The limit suits a busy machine, since many upstreams are added. */
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
  const faults = wrong.map(([, fault]) => faultOf(fault));
  mirrors = await MirroredVendors.start([...faults, ...faultsOfRecords]);
  before = await mirrors.othersRows();
}, SETUP_MS);
afterAll(async () => {
  await mirrors.stop();
  await endAll();
});

function at(index: number): MirroredVendor {
  const found = mirrors.vendors[index];
  if (found === undefined) throw new Error(`there is no vendor ${index}`);
  return found;
}

const vendor = (name: string) => at(wrong.findIndex(([each]) => each === name));
const vendorOfRecord = (index: number) => at(wrong.length + index);

function failed(name: string) {
  return mirrors.untilUpstream(vendor(name), ({ failures }) => Number(failures) > 0);
}

const isRead = ({ last_full, claim, run, wanted, listed: count }: Dump[string][number]) =>
  last_full !== null && [claim, run, wanted].every((each) => each === null) && Number(count) === 3;

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

  it('is told by the command that reads', async () => {
    const { status, stdout, stderr } = await mirrors.command(vendor('401'));
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(
      /^Upstream [^\n]+ failed in a row: the upstream does not accept the key: it answered 401\n$/,
    );
  });
});

describe('a wrong sale in the list', () => {
  it.each(listed.map(([name, , problem], index) => [name, index, problem] as const))(
    '%s is told, and those beside it are taken',
    async (_, index, problem) => {
      const of = vendorOfRecord(index);
      const row = await mirrors.untilUpstream(of, ({ last_full }) => last_full !== null);
      const problems = (await mirrors.problemsOf(of)).map(({ text }) => String(text));
      expect(problems).toContainEqual(expect.stringMatching(problem));
      expect(row).toMatchObject({ failures: 0, problem: null });
      const [newest, , oldest] = of.sales;
      expect(await mirrors.salesOf(of)).toEqual([newest, oldest]);
    },
  );

  it('is told by the command that reads', async () => {
    const { status, told } = await mirrors.run(vendorOfRecord(0), true);
    expect(status).toBe(1);
    const example = expect.stringMatching(listed[0]?.[2] ?? /^$/) as unknown;
    const kind = 'transaction not stored: amount';
    expect(told).toMatchObject({ problem: null, problems: [{ kind, count: 1, example }] });
  });
});

describe('all of them', () => {
  it('change nothing of others, and are in the log without the key and what was sent', async () => {
    expect(await mirrors.othersRows()).toEqual(before);
    const { service } = mirrors;
    expect(service.lines(/An upstream cannot be read/).length).toBeGreaterThanOrEqual(wrong.length);
    const warnings = service.lines(/Not read from an upstream/);
    expect(warnings.length).toBeGreaterThanOrEqual(listed.length);
    const counts = /transaction not stored: amount['"]: ?1\b/;
    await until('the counts', () => service.lines(counts).length > 0);
    const log = service.lines(ALL).join('\n');
    const keys = [STUB_KEY, Buffer.from(`${STUB_KEY}:x`).toString('base64')];
    for (const secret of [...keys, ...SECRET_VALUES]) expect(log).not.toContain(secret);
  });

  it('lose nothing: all is read once the answers and records are right', async () => {
    await mirrors.cure();
    for (const of of mirrors.vendors) {
      if (of === vendor('another name in the certificate')) continue;
      const row = await mirrors.untilUpstream(of, isRead);
      expect(row).toMatchObject({ problem: null, failures: 0 });
      expect(await mirrors.problemsOf(of)).toEqual([]);
      expect(await mirrors.salesOf(of)).toEqual(of.sales);
    }
    expect(await mirrors.othersRows()).toEqual(before);
  });
});
