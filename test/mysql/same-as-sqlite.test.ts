/** Every operation and page has the same answer on MySQL or MariaDB as on SQLite. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Visitor } from '../support/browser/visitor.js';
import { settle } from '../support/builders/settled-twin.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { affiliates, TwinLedger } from '../support/builders/twin-ledgers.js';
import { differences, type Seen } from '../support/oracles/seen-by.js';
import { everythingSeen } from '../support/oracles/twin-views.js';
import { TestService } from '../support/servers/service.js';

const [OWN, OTHER] = [new TwinLedger(1), new TwinLedger(2)];
/** Both services import the same records, because some of their dates depend on the clock. */
const RECORDS = new Map([OWN, OTHER].map((twin) => [twin, twin.records()]));

/** Midnight may come before the test ends. */
const DAYS = [0, 86_400_000].map((later) =>
  new Date(Date.now() + later).toISOString().slice(0, 10),
);
/** Times of this run in their two forms, and secrets, which differ between the services. */
const OWN_TO_A_SERVICE = [
  new RegExp(`(?:${DAYS.join('|')})[T ][0-9:]{8}(?:\\+00:00|Z)?`, 'g'),
  /<span>\d\d:\d\d(?::\d\d)?<\/span>/g,
  /whsec_[\w+/=]+/g,
];
/** The order of its records is not guaranteed. */
const IN_ANY_ORDER = '/account/people.json';

let onMysql: TestService;
let onSqlite: TestService;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
  const drop = () => {
    rmSync(folder, { recursive: true, force: true });
    return Promise.resolve();
  };
  const url = `sqlite:${join(folder, 'ledger.sqlite')}`;
  onMysql = await TestService.start();
  onSqlite = await TestService.on({ url, folder, drop }, {});
});
afterAll(async () => {
  await onMysql.stop();
  await onSqlite.stop();
});

async function seenOn(service: TestService): Promise<Seen> {
  const ledger = TestLedger.on(service.database);
  await service.import([...affiliates(), ...OWN.parties(), ...OTHER.parties()]);
  for (const [twin, records] of RECORDS) await settle(service, ledger, twin, records);
  const key = await service.key(OWN.vendor_id);
  const visitor = await Visitor.signedIn(service, OWN.vendor_id);
  const seen = await everythingSeen(service, OWN, { key, visitor, others: [OTHER] });
  await ledger.close();
  return new Map([...seen].map(([asked, text]) => [asked, comparable(asked, text)]));
}

function comparable(asked: string, text: string): string {
  const masked = OWN_TO_A_SERVICE.reduce((so, own) => so.replace(own, '*'), text);
  return asked.startsWith(IN_ANY_ORDER) ? masked.split(/,?\n/).sort().join('\n') : masked;
}

it('answers the same', async () => {
  const [mysql, sqlite] = [await seenOn(onMysql), await seenOn(onSqlite)];
  expect(sqlite.size).toBeGreaterThan(300);
  expect(differences(sqlite, mysql)).toEqual([]);
});
