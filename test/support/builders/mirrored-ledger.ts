import { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import { AFFILIATES, OTHER, parties, payments } from './mirrored/parties.js';
import { MirroredSales, type SaleLine } from './mirrored/sales.js';
import { ODD_KEYS } from './odd-keys.js';

const DAY_MS = 86_400_000;
const MONTHS = 14;
/** Number of sales in one second. They exceed the largest page. */
const SAME_SECOND = 230;

export interface MirroredLedger {
  /** All records, in the order in which they are to be imported. */
  readonly records: readonly object[];
  /** The sales of the mirrored vendor in order of arrival. */
  readonly sales: readonly SaleLine[];
  readonly random: SeededRandom;
}

/**
 * A ledger with everything a mirror can see: 14 months of sales until `end`, the newest minutes
 * ago; several sales a second; one second with more sales than a page; arrivals in another order
 * than the sale dates. The same seed gives the same ledger.
 * @param size number of the vendor's sales, at least 400
 */
export function mirroredLedger(size: number, end = new Date(), seed = 20_260_101): MirroredLedger {
  const random = new SeededRandom(seed);
  const builder = new MirroredSales(random, end.getTime());
  const first = end.getTime() - MONTHS * 30 * DAY_MS;
  const step = (end.getTime() - 120_000 - first) / (size - SAME_SECOND);
  const sales = Array.from({ length: size }, (_, index) => {
    // Four sales in a row share a second. The sales beyond the spread all share one second.
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

/**
 * Returns sales of the other vendor at the same seconds as the first vendor's, by the affiliate
 * that both vendors share.
 */
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
