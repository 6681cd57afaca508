/** Changes of an extension's records in the feed, and the changes that its listeners get. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Feature } from '../../../src/feature.js';
import { ChangeListener } from '../../../src/ledger/changes/change-listener.model.js';
import { ChangeListeners } from '../../../src/ledger/changes/listeners/change-listeners.js';
import { Database } from '../../../src/platform/database/database.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { statesOf } from '../../support/processes/gauges.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { NOTES, Notes, notesOf } from './counted-notes.js';

const CHANGES = '/ledger/v1/changes';
const CORE = 'transaction, recurring_payment, relationship, product, affiliate, removed';
const TEXT = 'call Ada back';
const PAST = '2000-01-01 00:00:00';

let service: TestService;
let notes: Notes;
let ledger: TestLedger;
let database: Database;
let vendor = 0;
let key: string;
/** The log lines that the service has written. */
const logged: string[] = [];

beforeAll(async () => {
  for (const output of [process.stdout, process.stderr]) {
    jest.spyOn(output, 'write').mockImplementation((chunk) => logged.push(String(chunk)) > 0);
  }
  service = await TestService.start({}, [NOTES]);
  notes = service.app.get(Notes);
  database = service.app.get(Database);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
  jest.restoreAllMocks();
});
afterEach(() => {
  notes.disturbances.whenRead = () => Promise.resolve();
  notes.disturbances.afterWork = () => undefined;
});

/** Creates a vendor with a product and one sale, which are two changes. */
async function newVendor(): Promise<void> {
  vendor += 1;
  await service.import([user(vendor), product(vendor, vendor), transaction(`S-${vendor}`, vendor)]);
  key = await service.key(vendor);
}

function feedOf(query: string, of = service, by = key) {
  return of.envelope(`${CHANGES}?${query}`, by);
}

/** Returns what the listener `notes` has stored for the newest vendor. */
async function counted() {
  const sql = `SELECT changes, last_sequence FROM notes_counts WHERE vendor_id = ${vendor}`;
  return (await ledger.rows(sql))[0];
}

async function lastSequence(): Promise<number> {
  const sql = `SELECT last_sequence FROM ledger_revisions WHERE vendor_id = ${vendor}`;
  return Number((await ledger.rows(sql))[0]?.last_sequence);
}

/** Changes the position of the listener `notes` in the feed of the newest vendor. */
function changeCursor(assignment: string): Promise<number> {
  const sql = `UPDATE change_cursors SET ${assignment} WHERE listener = 'notes' AND vendor_id = ?`;
  return database.write((session) => session.run(sql, [vendor]));
}

/** Gives the lease of the listener `notes` on the feed of the newest vendor to another process. */
function takeLease(): Promise<number> {
  const sql = `UPDATE change_cursors SET claim = 'other'
    WHERE listener = 'notes' AND vendor_id = ? AND claim IS NOT NULL`;
  return database.write((session) => session.run(sql, [vendor]));
}

/** Does what an erasure of personal data of the newest vendor does to listeners. */
function forgetPersonalData(): Promise<void> {
  const listeners = service.app.get(ChangeListeners);
  return database.write((session) => listeners.forgetPersonalData(session, vendor));
}

/** Returns the stored position of the listener `notes` in the feed of the newest vendor. */
async function cursor() {
  const columns = 'position, failures, claim';
  const where = `listener = 'notes' AND vendor_id = ${vendor}`;
  return (await ledger.rows(`SELECT ${columns} FROM change_cursors WHERE ${where}`))[0];
}

/** Waits until the listener `notes` has handled the whole feed of the newest vendor. */
async function untilHandled(): Promise<void> {
  const last = await lastSequence();
  await until('the last change', async () => (await counted())?.last_sequence === last);
}

describe('a kind of an extension', () => {
  beforeAll(async () => {
    await newVendor();
    await notes.put(vendor, 'S-1', TEXT);
    await notes.put(vendor, 'S-2', 'gone');
    await notes.remove(vendor, 'S-2');
  });

  it('is in the feed after the kinds of the service', async () => {
    const { results, meta } = await feedOf('');
    expect(results.map(({ kind }) => kind)).toEqual(['product', 'transaction', 'notes', 'removed']);
    expect(results[2]?.notes).toEqual({ transaction_id: 'S-1', text: TEXT });
    expect(results[3]?.removed).toEqual({ removed_kind: 'notes', key: 'S-2' });
    expect(meta).toMatchObject({ cursor: String(await lastSequence()) });
  });

  it('can be selected, alone and with others', async () => {
    const kindsOf = async (kinds: string) =>
      (await feedOf(`kinds=${kinds}`)).results.map(({ kind }) => kind);
    expect(await kindsOf('notes')).toEqual(['notes', 'removed']);
    expect(await kindsOf('notes,product')).toEqual(['product', 'notes', 'removed']);
    expect(await kindsOf('product')).toEqual(['product', 'removed']);
  });

  it('is named where a kind is wrong', async () => {
    const wrong = expectFailure(await service.get(`${CHANGES}?kinds=note`, key), 4001, 'ledger-1');
    expect(wrong).toBe(`kinds must be some of ${CORE}, notes, with commas between them.`);
  });

  it('is masked by its source', async () => {
    const masked = await service.key(vendor, 'masked');
    const { results } = await feedOf('kinds=notes', service, masked);
    expect(results[0]?.notes).toEqual({ transaction_id: 'S-1', text: '' });
  });

  it('is not shown without the extension, and cursors pass it', async () => {
    const without = await service.beside();
    const { results, meta } = await feedOf('', without);
    expect(results.map(({ kind }) => kind)).toEqual(['product', 'transaction']);
    expect(meta).toMatchObject({ cursor: String(await lastSequence()) });
    const answer = await without.get(`${CHANGES}?kinds=notes`, key);
    expect(expectFailure(answer, 4001, 'ledger-1')).toBe(
      `kinds must be some of ${CORE}, with commas between them.`,
    );
    await without.stop();
  });

  it.each([
    ['product', 'S-1', 'changes of the kind product are recorded by the service itself'],
    ['other', 'S-1', 'no change source of an extension has the kind "other"'],
    ['notes', '', 'the key of a change of the kind notes must have 1 to 255 characters'],
    [
      'notes',
      'é'.repeat(256),
      'the key of a change of the kind notes must have 1 to 255 characters',
    ],
  ])('is the only one that it records: %s %#', async (kind, record_key, message) => {
    const before = await lastSequence();
    await expect(notes.note(vendor, kind, record_key)).rejects.toThrow(message);
    expect(await lastSequence()).toBe(before);
  });
});

describe('a listener', () => {
  it('gets each change once, in order, as the feed shows it', async () => {
    await newVendor();
    await service.import(
      Array.from({ length: 130 }, (_, at) => transaction(`${vendor}-${at}`, vendor)),
    );
    await notes.put(vendor, 'S-1', TEXT);
    await untilHandled();
    expect((await counted())?.changes).toBe(133);
    const got = notes.disturbances.got.filter(({ vendor_id }) => vendor_id === vendor);
    const shown = (await feedOf('limit=1000')).results.map(
      ({ kind, sequence, changed_at, reasons, ...rest }) => ({
        kind,
        sequence,
        changed_at,
        ...(reasons === undefined ? {} : { reasons }),
        record: rest[String(kind)],
      }),
    );
    expect(got.map(({ change }) => change)).toEqual(shown);
  });

  it('gets all reasons since it last had everything, and no older ones', async () => {
    await newVendor();
    await untilHandled();
    const sale = `S-${vendor}`;
    notes.disturbances.afterWork = () => {
      throw new Error('not now');
    };
    await service.import([transaction(sale, vendor, { amount: '48.00' })]);
    await until('the failure', async () => (await cursor())?.failures === 1);
    await service.import([transaction(sale, vendor, { amount: '48.00', status: 'charged_back' })]);
    notes.disturbances.afterWork = () => undefined;
    await changeCursor(`next_try = '${PAST}'`);
    await untilHandled();
    // A listener of a former version of the service has no beginning of its walk.
    await changeCursor('walk_from = NULL');
    await service.import([transaction(sale, vendor, { amount: '49.00', status: 'charged_back' })]);
    await untilHandled();
    const got = notes.disturbances.got.flatMap(({ change }) =>
      change.record.transaction_id === sale ? [change.reasons] : [],
    );
    expect(got).toEqual([['sold'], ['corrected'], ['charged_back', 'corrected'], ['corrected']]);
  });

  it('of some kinds gets only those, and removed records', async () => {
    await newVendor();
    await notes.put(vendor, 'only', TEXT);
    await notes.put(vendor, 'gone', TEXT);
    await notes.remove(vendor, 'gone');
    const { got } = notes.listener;
    const isLast = ({ record }: (typeof got)[number]) => record.key === 'gone';
    await until('the removed note', () => got.some(isLast));
    const own = got.slice(-2).map(({ kind, record }) => [kind, record]);
    expect(own).toEqual([
      ['notes', { transaction_id: 'only', text: TEXT }],
      ['removed', { removed_kind: 'notes', key: 'gone' }],
    ]);
  });

  it('gets the same changes again after an error, without what it wrote', async () => {
    await newVendor();
    notes.disturbances.afterWork = (vendor_id) => {
      if (vendor_id === vendor) throw new Error(TEXT);
    };
    await notes.put(vendor, 'S-1', TEXT);
    for (const failures of [1, 2]) {
      await until('the failure', async () => (await cursor())?.failures === failures);
      expect(await cursor()).toEqual({ position: 0, failures, claim: null });
      expect(await counted()).toBeUndefined();
      if (failures === 2) notes.disturbances.afterWork = () => undefined;
      await changeCursor(`next_try = '${PAST}'`);
    }
    await untilHandled();
    expect((await counted())?.changes).toBe(3);
    expect(await cursor()).toMatchObject({ failures: 0 });
    const lines = logged.filter((line) => line.includes(`changes of vendor ${vendor}.`));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('The listener notes failed');
    expect(lines[0]).not.toContain(TEXT);
  });

  it.each([
    ['another process has its lease', () => takeLease(), 'other'],
    ['personal data was erased since it was read', () => forgetPersonalData(), 'ended'],
  ])('writes nothing if %s', async (_, disturb, claim) => {
    await newVendor();
    await untilHandled();
    // The other listener reads too, so each read disturbs a lease of this one that exists by then.
    notes.disturbances.whenRead = async (vendor_id) => {
      if (vendor_id === vendor) await disturb();
    };
    await notes.put(vendor, 'S-1', TEXT);
    await until('the disturbance', async () => (await cursor())?.claim === claim);
    await until('the end of the turn', async () => {
      return (await statesOf(service, 'change_listeners_running')).running === 0;
    });
    expect(await cursor()).toMatchObject({ position: 2, claim });
    notes.disturbances.whenRead = () => Promise.resolve();
    await changeCursor(`claim_ends = '${PAST}'`);
    await untilHandled();
    expect((await counted())?.changes).toBe(3);
    const own = notes.disturbances.got.filter(({ vendor_id }) => vendor_id === vendor);
    expect(own).toHaveLength(3);
  });

  it('of two instances gets each change once', async () => {
    await newVendor();
    const other = await service.beside({}, [NOTES]);
    for (let round = 0; round < 8; round += 1) {
      const sales = Array.from({ length: 60 }, (_, at) =>
        transaction(`${vendor}-${round}-${at}`, vendor),
      );
      await service.import(sales);
      await notes.put(vendor, `note-${round}`, TEXT);
    }
    await untilHandled();
    expect((await counted())?.changes).toBe(2 + 8 * 61);
    await other.stop();
  });
});

@Injectable()
class WrongListener extends ChangeListener {
  readonly name: string = 'other';
  override readonly kinds: readonly string[] = [];

  override changed() {
    return Promise.resolve();
  }
}

@Injectable()
class UnknowingListener extends WrongListener {
  override readonly name = 'notes-a';
  override readonly kinds = ['notes', 'nothing'];
}

describe('a service whose extension has a wrong listener', () => {
  it.each([
    [[WrongListener], 'the listener other is not named notes, or notes- and up to 128 characters'],
    [[UnknowingListener], 'notes-a listens to changes of the kind notes, which no module has.'],
  ])('does not start %#', async (onChanges, problem) => {
    @Feature({ onChanges })
    class WrongModule {}
    await expect(service.beside({}, [notesOf(WrongModule)])).rejects.toThrow(problem);
  });
});
