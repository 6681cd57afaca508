/** Figures equal a calculation over the sales themselves, for every group, filter and interval. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { TrackingBounds } from '../../../src/ledger/sums/tracking-sums.js';
import { FigureBounds } from '../../../src/modules/reports/figures/figure-reads.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { lineOf, lineOfClicks } from '../../support/builders/figure-lines.js';
import { saleOf } from '../../support/oracles/exported-sales.js';
import { expectFigures } from '../../support/oracles/figures-answer.js';
import type { FigureData } from '../../support/oracles/figures-oracle.js';
import { exportedBy } from '../../support/oracles/query-oracle.js';
import { onOneDay } from '../../support/processes/one-day.js';
import {
  AFFILIATES,
  day,
  DAYS,
  OF_CLICKS,
  pathOf,
  PRODUCTS,
  requests,
  sale,
  STRANGER,
  VENDOR,
  type Asked,
} from '../../support/random/figure-requests.js';
import { byChance } from '../../support/random/by-chance.js';
import { holds, sampled } from '../../support/random/properties.js';
import { printedRandom, RANDOMNESS } from '../../support/random/seed.js';
import { TestService } from '../../support/servers/service.js';

/** More values than these have no sums of their own. */
const MOST_VALUES = 2;
/** More sales, also within one second, are read by several statements. */
const SALES_OF_A_STATEMENT = 7;
const SALES = 250;
/** Number of answers that are compared with an export while an importer writes. */
const PAIRS = Number(process.env.FIGURE_PAIRS ?? 40);

let service: TestService;
let key: string;
let affiliateKey: string;
let data: FigureData;
beforeAll(async () => {
  service = await TestService.start();
  service.app.get(TrackingBounds).values = MOST_VALUES;
  service.app.get(FigureBounds).slice = SALES_OF_A_STATEMENT;
  const sales = sampled(sale, SALES);
  const clicked = sampled(
    fc.record({
      day,
      product_id: fc.constantFrom(...PRODUCTS),
      affiliate_id: fc.constantFrom(...AFFILIATES.slice(0, 2)),
      clicks: fc.nat({ max: 50 }),
      unique_clicks: fc.nat({ max: 20 }),
    }),
    60,
  );
  const once = new Map(
    clicked.map((each) => [`${each.day} ${each.product_id} ${each.affiliate_id}`, each]),
  );
  data = { sales, clicks: [...once.values()] };
  await service.import([
    ...[VENDOR, STRANGER.id, ...AFFILIATES].map((id) => user(id)),
    ...PRODUCTS.map((id) => product(id, VENDOR)),
    product(STRANGER.product, STRANGER.id),
    ...sales.map(lineOf),
    transaction('of-stranger', STRANGER.product, { sale_date: `${DAYS[2]}T00:00:00Z` }),
    ...data.clicks.map((each) => lineOfClicks(each)),
  ]);
  key = await service.key(VENDOR);
  affiliateKey = await service.key(AFFILIATES[0] ?? 0);
});
afterAll(() => service.stop());

/** Leaves out measures that are not made from fields of an export. */
function ofExport({ measures, ...asked }: Asked): Asked {
  const known = measures.filter((name) => name !== 'taxes' && !OF_CLICKS.includes(name));
  return { ...asked, measures: known.length === 0 ? ['gross'] : known };
}

/** Today has no days before it that are compared. */
function comparable(asked: Asked, today: string): Asked {
  return asked.range.start_date < today ? asked : { ...asked, compare: 'none' };
}

/**
 * Adds and changes sales until the work has ended, with pauses of random length.
 * @returns the number of imports
 */
async function importDuring(work: Promise<unknown>, random: SeededRandom): Promise<number> {
  const working = new Set([work]);
  const end = () => {
    working.clear();
  };
  work.then(end, end);
  let imports = 0;
  for (; working.size > 0; imports += 1) {
    const seed = RANDOMNESS.seed + imports;
    const changed = fc.sample(sale, { numRuns: random.integer(1, 30), seed });
    await service.import(changed.map((each) => lineOf(each, random.integer(0, SALES * 2))));
    await byChance(120);
  }
  return imports;
}

/** Compares an answer with an export if both show the same state, and returns its cursor. */
async function cursorOfPair(asked: Asked, today: string): Promise<string | null> {
  const { meta, results } = await service.envelope(pathOf(asked), key);
  const { rows, cursor } = await exportedBy(service, key);
  if ((meta as unknown as { readonly cursor: string }).cursor !== cursor) return null;
  expectFigures({ meta, results }, { sales: rows.map(saleOf), clicks: [] }, asked, today);
  return cursor;
}

describe('Figures', () => {
  it('are what the sales say, for every group, filter, interval, comparison and measure', async () => {
    const runs = await holds(
      fc.asyncProperty(requests, async (made) => {
        await onOneDay(async (today) => {
          const asked = comparable(made, today);
          const by = asked.role === 'vendor' ? key : affiliateKey;
          expectFigures(await service.envelope(pathOf(asked), by), data, asked, today);
        });
      }),
      { numRuns: 400, atLeast: 40 },
    );
    expect(runs).toBeGreaterThanOrEqual(40);
  });

  it('equal a calculation over the export of the same cursor while an importer writes', async () => {
    const cursors = new Set<unknown>();
    const ofVendor = requests.filter(({ role }) => role === 'vendor').map(ofExport);
    let [compared, asked] = [0, 0];
    const comparing = (async () => {
      for (; compared < PAIRS; asked += 1) {
        const [made] = fc.sample(ofVendor, { numRuns: 1, seed: RANDOMNESS.seed + asked });
        if (made === undefined) throw new Error('no request was made');
        await onOneDay(async (today) => {
          const found = await cursorOfPair(comparable(made, today), today);
          if (found === null) return;
          compared += 1;
          cursors.add(found);
        });
      }
    })();
    const imports = await importDuring(comparing, printedRandom());
    await comparing;
    process.stdout.write(
      `figures: ${compared} of ${asked} pairs, ${imports} imports, ${cursors.size} cursors\n`,
    );
    // The importer wrote between the pairs, and within some of them.
    expect(cursors.size).toBeGreaterThan(PAIRS / 8);
  });
});
