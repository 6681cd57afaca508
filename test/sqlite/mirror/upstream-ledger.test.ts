/** What tests of the mirror are built of: the ledger to be mirrored, what changes in it, and the comparison. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MirroredChanges } from '../../support/builders/mirrored/changes.js';
import { MIRRORED_ID } from '../../support/builders/mirrored/parties.js';
import { mirroredLedger } from '../../support/builders/mirrored-ledger.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { LedgerWriter } from '../../support/http/ledger-writer.js';
import { differencesBetween, type Instance } from '../../support/oracles/same-bodies.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';

const SALES = 420;

const ledger = mirroredLedger(SALES);
const services: RunningService[] = [];
const ledgers: TestLedger[] = [];
const instances: Instance[] = [];

async function start(): Promise<void> {
  const filled = await TestLedger.create();
  ledgers.push(filled);
  await filled.mustImport(ledger.records);
  const service = await RunningService.start(filled, 1);
  services.push(service);
  instances.push({ port: service.port, key: await filled.key(MIRRORED_ID) });
}

async function differences() {
  const [one, other] = instances;
  if (one === undefined || other === undefined) throw new Error('two instances were started');
  return differencesBetween(one, other);
}

beforeAll(async () => {
  await start();
  await start();
});
afterAll(async () => {
  await endAll();
  for (const filled of ledgers) await filled.drop();
});

it('the same ledger has the same bodies, and one field in another record is a difference', async () => {
  expect(await differences()).toEqual([]);
  const [sale] = ledger.sales;
  const delivery = { city: 'Elsewhere' };
  await ledgers[1]?.mustImport([{ ...sale, delivery }]);
  const found = await differences();
  expect(found.map(({ path }) => path)).toEqual([
    `/v2.1/transaction/details/${encodeURIComponent(sale?.transaction_id ?? '')}`,
  ]);
  expect(found[0]?.other).toContain('Elsewhere');
});

it('each change is taken, and changes something', async () => {
  const [service] = services;
  const [filled] = ledgers;
  if (service === undefined || filled === undefined) throw new Error('it was started');
  const changes = new MirroredChanges(ledger);
  const key = await filled.sourceKey();
  const writer = new LedgerWriter(
    () => service.port,
    key,
    () => changes.next(),
    500,
  );
  await until('some of each kind', () => writer.written >= 400 || writer.failure !== null);
  await writer.end();
  expect(writer.rejected).toEqual([]);
  expect(await differences()).toHaveLength(20);
});
