/** Records with versions lead to one state, in whatever order and however often they arrive. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { transaction, user } from '../../support/builders/ledger-records.js';
import { stateOf } from '../../support/builders/ledger-state.js';
import type { Dump } from '../../support/builders/test-ledger.js';
import {
  AFFILIATE,
  partiesOf,
  PRODUCT,
  VERSIONED_KINDS,
} from '../../support/builders/versioned-records.js';
import { eachOf, holds } from '../../support/random/properties.js';
import { runImport, source } from '../../support/servers/import-run.js';
import { TestService } from '../../support/servers/service.js';

const NUMBERS = [10, 11, 12, 13];
const VERSIONS = [1, 2, 3, 4];
const TIMES = 3;
const RUNS = 3;
/**
 * This is more than the possible number of rounds: a record waits for its references, and these
 * wait for theirs.
 */
const MOST_ROUNDS = 20;

/** Every second version has the content of the one before it. */
const contentOf = (version: number) => 'x'.repeat(1 + Math.floor(version / 2));

/** The records are in the order in which a source would write them. */
const RECORDS: readonly object[] = [
  ...partiesOf(NUMBERS).map((record) => ({ ...record, record_version: 1 })),
  ...VERSIONS.map((version) =>
    user(AFFILIATE, { display_name: contentOf(version), record_version: 1 + version }),
  ),
  ...VERSIONED_KINDS.flatMap(({ record }) =>
    NUMBERS.flatMap((number) =>
      VERSIONS.map((record_version) =>
        record(number, contentOf(record_version), { record_version }),
      ),
    ),
  ),
  ...NUMBERS.flatMap((number) =>
    VERSIONS.map((record_version) =>
      transaction(`P-${number}`, PRODUCT, {
        pre_key: `PRE-${number}`,
        sale_date: `2025-06-0${record_version}T12:00:00Z`,
        amount: `${record_version}.00`,
        status: record_version > 2 ? 'refunded' : 'pending',
        record_version,
      }),
    ),
  ),
];

let ordered: Dump;
beforeAll(async () => {
  const service = await TestService.start();
  await service.import(RECORDS);
  ordered = await stateOf(service);
  await service.stop();
});
const started: TestService[] = [];
afterAll(async () => {
  for (const service of started) await service.stop();
});

/** @returns the records that were rejected */
async function sent(service: TestService, records: readonly object[]): Promise<object[]> {
  const { told } = await runImport(service, source(records));
  return told.flatMap((text) => {
    const [, line] = /^line (\d+): (?!warning)/.exec(text) ?? [];
    return line === undefined ? [] : (records[Number(line) - 1] ?? []);
  });
}

function batchesOf(records: readonly object[], sizes: readonly number[]): object[][] {
  const batches: object[][] = [];
  for (let at = 0; at < records.length;) {
    const size = sizes[batches.length % sizes.length] ?? 1;
    batches.push(records.slice(at, at + size));
    at += size;
  }
  return batches;
}

describe('Records with versions', () => {
  it('that come shuffled and thrice, by two instances at once, end as in their order', async () => {
    const all = Array.from({ length: TIMES }, () => RECORDS).flat();
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length });
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 10 });
    await holds(
      fc.asyncProperty(shuffled, sizes, async (records, ofBatches) => {
        const one = await TestService.start();
        const instances = [one, await one.beside()];
        started.unshift(...instances.toReversed());
        let waiting = records;
        for (let round = 0; waiting.length > 0; round += 1) {
          expect(round).toBeLessThan(MOST_ROUNDS);
          const rejected: object[] = [];
          await eachOf([...batchesOf(waiting, ofBatches).entries()], 2, async ([at, batch]) => {
            rejected.push(...(await sent(instances[at % 2] ?? one, batch)));
          });
          waiting = rejected;
        }
        expect(await stateOf(one)).toEqual(ordered);
      }),
      { numRuns: RUNS },
    );
  });
});
