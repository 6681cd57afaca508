import { DAY_MS } from '../../common/time.js';
import { saleWithRenewals, type Sale } from './demo-sale.js';
import { DEMO_PRODUCTS, WAVE_AFFILIATE_ID } from './demo-words.js';
import type { SeededRandom } from './seeded-random.js';

const FIRST_DAY_BEFORE = 130;
const DAYS = 18;
const MOST_SALES = 9;
/** Portrait Masterclass, a product of the vendor whose pages are shown. */
const PRODUCT = DEMO_PRODUCTS[1];

/**
 * Returns the sales of an affiliate who promised too much: many sales in a few weeks, most of which
 * are refunded or charged back. Reports, cohorts and the table of affiliates show this.
 */
export function refundWave(random: SeededRandom, today: number): Sale[] {
  const sales: Sale[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const begin = today - (FIRST_DAY_BEFORE - day) * DAY_MS;
    for (let made = random.integer(2, MOST_SALES); made > 0; made -= 1) {
      const at = begin + random.integer(0, 86_399) * 1_000;
      for (const sale of saleWithRenewals(random, { at, today, product: PRODUCT })) {
        sales.push({ ...sale, affiliate_id: WAVE_AFFILIATE_ID, isOfWave: true });
      }
    }
  }
  return sales;
}
