import { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { AFFILIATES, OTHER, parties, payments } from './mirrored/parties.js';
import { MirroredSales, type SaleLine } from './mirrored/sales.js';
import { ODD_KEYS } from './odd-keys.js';

const DAY_MS = 86_400_000;
const MONTHS = 14;
/** More than the largest page has. */
const SAME_SECOND = 230;

export interface MirroredLedger {
  /** To be imported as they stand. */
  readonly records: readonly object[];
  /** The sales of the mirrored vendor as they came. */
  readonly sales: readonly SaleLine[];
  readonly random: SeededRandom;
}

/**
 * A ledger with all that a mirror can see: 14 months until `end`, newest sale minutes ago, several
 * sales a second and one second with more than a page, arrivals that are not in the order of the sales.
 * The same numbers give the same ledger.
 * @param size how many sales the vendor has, 400 or more
 */
export function mirroredLedger(size: number, end = new Date(), seed = 20_260_101): MirroredLedger {
  const random = new SeededRandom(seed);
  const builder = new MirroredSales(random, end.getTime());
  const first = end.getTime() - MONTHS * 30 * DAY_MS;
  const step = (end.getTime() - 120_000 - first) / (size - SAME_SECOND);
  const sales = Array.from({ length: size }, (_, index) => {
    // Four after another share a second; what is beyond the spread shares one of all of them.
    const place = index < size - SAME_SECOND ? index - (index % 4) : Math.floor(size / 3);
    const id = ODD_KEYS[index] ?? `T-${random.text(8)}-${index}`;
    return builder.sale(id, first + place * step);
  });
  shuffle(sales, random);
  return {
    records: [...parties(random), ...payments(random), ...sales, ...othersSales(builder, sales)],
    sales,
    random,
  };
}

/** In the seconds of the first vendor's sales, from the affiliate that both share. */
function othersSales(builder: MirroredSales, sales: readonly SaleLine[]): object[] {
  return sales.slice(0, 40).map((sale, index) => ({
    ...builder.sale(`OTHER-${index}`, Date.parse(sale.sale_date)),
    product_id: OTHER.product,
    pre_key: null,
    affiliate_id: AFFILIATES[0],
  }));
}

function shuffle(items: SaleLine[], random: SeededRandom): void {
  for (let index = items.length - 1; index > 0; index -= 1) {
    const other = random.integer(0, index);
    const [one, two] = [items[index], items[other]];
    if (one === undefined || two === undefined) throw new Error('a place is of an item');
    [items[index], items[other]] = [two, one];
  }
}
