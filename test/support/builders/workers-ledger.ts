import { affiliation, product, user } from './ledger-records.js';
import { TestLedger } from './test-ledger.js';

const VENDOR = 1;
const PRODUCT = 10;
export const AFFILIATES = Array.from({ length: 40 }, (_, place) => 100 + place);
export const NAMES_PATH = '/v2.1/products/names';

export function relationshipOf(affiliate: number): string {
  return `/v2.1/affiliates/${affiliate}/products/${PRODUCT}`;
}

/**
 * Creates a vendor with a product that many affiliates sell.
 * @returns the ledger and the vendor's key
 */
export async function workersLedger(): Promise<{ ledger: TestLedger; key: string }> {
  const ledger = await TestLedger.create();
  await ledger.mustImport([
    user(VENDOR),
    product(PRODUCT, VENDOR),
    ...AFFILIATES.flatMap((id) => [user(id), affiliation(id, PRODUCT)]),
  ]);
  return { ledger, key: await ledger.key(VENDOR) };
}
