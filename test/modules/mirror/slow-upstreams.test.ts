/** Upstreams that do not answer do not prevent the others from being read. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MirroredVendors, type Fault } from '../../support/servers/mirrored-vendors.js';
import { endAll, until } from '../../support/servers/running-service.js';
import { LIST } from '../../support/servers/stub/spoiled.js';

/** A process reads from this many upstreams at a time. */
const SILENT = 4;

const silent: Fault = { hook: ({ path }, answer) => (LIST.test(path) ? 'silent' : answer) };
let mirrors: MirroredVendors;

beforeAll(async () => {
  const faults = [...Array<Fault>(SILENT).fill(silent), {}];
  mirrors = await MirroredVendors.start(faults.map((fault) => () => fault));
});
afterAll(async () => {
  await mirrors.stop();
  await endAll();
});

it('an upstream is read while others have not answered yet, and those go on afterwards', async () => {
  const [well, ...slow] = [...mirrors.vendors].reverse();
  if (well === undefined) throw new Error('there is an upstream');
  await mirrors.untilUpstream(well, ({ last_full }) => last_full !== null);
  expect(await mirrors.salesOf(well)).toEqual(well.sales);
  for (const each of slow) {
    expect(await mirrors.upstreamOf(each)).toMatchObject({ failures: 0, last_full: null });
    expect(each.stub.requests.some(({ path }) => LIST.test(path))).toBe(true);
    each.stub.hook = (_, answer) => answer;
  }
  await until('the next tries', async () => {
    const rows = await Promise.all(slow.map((each) => mirrors.upstreamOf(each)));
    return rows.every(({ last_full }) => last_full !== null);
  });
  for (const each of slow) expect(await mirrors.salesOf(each)).toEqual(each.sales);
});
