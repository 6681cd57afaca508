import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { ComparedLedger, ledger } from '../../support/oracles/compared-ledger.js';
import {
  busyLedger,
  readWhileWritten,
  writtenLedger,
} from '../../support/oracles/written-ledger.js';
import { eachOf, holds } from '../../support/random/properties.js';
import { partition } from '../../support/sql/partitions.js';
import { dialect } from '../../support/sql/test-database.js';
import { TestService } from '../../support/servers/service.js';

/** Number of waves of ledgers to compare for each setting. A cached page is requested twice. */
const SETTINGS = [
  { PAGE_CACHE_MB: '64', waves: 250, table: 'one table' },
  { PAGE_CACHE_MB: '0', waves: 125, table: 'one table' },
  ...(dialect === 'mysql' ? [{ PAGE_CACHE_MB: '0', waves: 50, table: 'a table by month' }] : []),
];
/** Largest number of ledgers in a wave, which one call imports. */
const WAVE = 8;
const AT_ONCE = 8;
/** Number of ledgers that are read while they are written. */
const WRITTEN = dialect === 'sqlite' ? 75 : 20;
/** Number of those ledgers whose days have many sales. */
const BUSY = 5;

describe.each(SETTINGS)('with PAGE_CACHE_MB=$PAGE_CACHE_MB, $table', (setting) => {
  const { PAGE_CACHE_MB, waves, table } = setting;
  let service: TestService;
  let vendors = 0;

  beforeAll(async () => {
    service = await TestService.start({ PAGE_CACHE_MB });
    if (table === 'a table by month') await partition(service.database.url);
  });
  afterAll(() => service.stop());

  it('answers every page of every range as a plain filter, sort and slice of the ledger would', async () => {
    const compared = { ledgers: 0, transactions: 0, requests: 0 };
    const times = PAGE_CACHE_MB === '0' ? 1 : 2;
    const wave = fc.array(ledger, { minLength: 1, maxLength: WAVE, size: 'max' });
    const property = fc.asyncProperty(wave, async (contents) => {
      const all = contents.map((content) => {
        vendors += 1;
        return new ComparedLedger(service, vendors, content, times, compared);
      });
      await service.import(all.flatMap((one) => [...one.arriving()]));
      await eachOf(all, AT_ONCE, (one) => one.compare());
      await service.import(all.flatMap((one) => [...one.changing()]));
      await eachOf(all, AT_ONCE, (one) => one.compare());
    });
    await holds(property, { numRuns: waves, settings: SETTINGS.length });
    process.stdout.write(
      `${dialect}, ${table}, PAGE_CACHE_MB=${PAGE_CACHE_MB}: ${compared.ledgers} ledgers with ` +
        `${compared.transactions} transactions compared in ${compared.requests} requests\n`,
    );
    expect(await service.app.get(VerificationService).differences()).toEqual([]);
  });

  // Imports write a partitioned table by the same statements.
  if (table === 'a table by month') return;

  it.each([
    { size: 'small', contents: writtenLedger, numRuns: WRITTEN },
    { size: 'busy', contents: busyLedger, numRuns: BUSY },
  ])('answers each page of a $size ledger from one state while imports change it', async (each) => {
    const seen = { requests: 0, beside: 0 };
    const property = fc.asyncProperty(each.contents, async (content) => {
      vendors += 1;
      await readWhileWritten(service, vendors, content, seen);
    });
    await holds(property, { numRuns: each.numRuns, settings: 2 });
    expect(seen.beside).toBeGreaterThan(0);
    expect(await service.app.get(VerificationService).differences()).toEqual([]);
  });
});
