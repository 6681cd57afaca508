import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import type { Session } from '../../../database/database.js';
import type { Product, ProductCount } from '../../products/product.model.js';
import type { RecurringService } from '../../recurring/recurring.service.js';
import type { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import type { BatchRun } from '../batch-run.js';

export interface OwnersOfRecords {
  readonly affiliates: AffiliatesService;
  readonly recurring: RecurringService;
  readonly transactions: TransactionWritesService;
}

/**
 * Returns the products that records of the operator may move to another vendor because no records
 * belong to them. Locks the ledgers of their vendors first, so that no records are added meanwhile.
 * @param stored the locked products of the records
 */
export async function movableProducts(
  owners: OwnersOfRecords,
  run: BatchRun,
  records: readonly Product[],
  stored: readonly Product[],
): Promise<ReadonlySet<number>> {
  const { session, onlyVendor, dryRun } = run;
  if (onlyVendor !== null) return new Set();
  const holders = new Map(stored.map(({ id, vendor_id }) => [id, vendor_id]));
  const ids = records.map(({ id }) => id);
  for (const { content } of (await dryRun?.of<Product>('product', ids.map(String)))?.values() ??
    []) {
    holders.set(content.id, content.vendor_id);
  }
  const moving = records.filter(({ id, vendor_id }) => {
    const holder = holders.get(id);
    return holder !== undefined && holder !== vendor_id;
  });
  const wanted = new Set(moving.map(({ id }) => id));
  if (wanted.size === 0) return wanted;
  const there = stored.filter(({ id }) => wanted.has(id));
  if (dryRun === null) await lockHolders(owners, session, there);
  const found = await countsOf(owners, session, there);
  found.push(...((await dryRun?.belongings([...wanted])) ?? []));
  const counts = new Map<number, number>();
  for (const { product_id, found: count } of found) {
    counts.set(product_id, (counts.get(product_id) ?? 0) + count);
  }
  return new Set([...wanted].filter((id) => (counts.get(id) ?? 0) <= 0));
}

function lockHolders(
  { transactions }: OwnersOfRecords,
  session: Session,
  products: readonly Product[],
): Promise<unknown> {
  const vendors = products.map(({ vendor_id }) => vendor_id);
  return transactions.lock(session, vendors, []);
}

/** Counts the records of each kind that belong to stored products. */
async function countsOf(
  { affiliates, recurring, transactions }: OwnersOfRecords,
  session: Session,
  products: readonly Product[],
): Promise<ProductCount[]> {
  const ids = products.map(({ id }) => id);
  const found = [...(await affiliates.affiliatesOfProducts(session, ids))];
  for (const vendor_id of new Set(products.map((product) => product.vendor_id))) {
    const own = products.filter((product) => product.vendor_id === vendor_id).map(({ id }) => id);
    found.push(...(await transactions.salesOfProducts(session, vendor_id, own)));
    found.push(...(await recurring.paymentsOfProducts(session, vendor_id, own)));
  }
  return found;
}

/** Returns the reason why a product cannot move to the vendor of a record, or null. */
export function moveProblem(
  { id, vendor_id }: Product,
  before: Product | undefined,
  movable: ReadonlySet<number>,
  { onlyVendor }: BatchRun,
): string | null {
  if (before === undefined || before.vendor_id === vendor_id) return null;
  if (onlyVendor !== null) return `vendor_id: product ${id} is another vendor's and can't move`;
  if (movable.has(id)) return null;
  return `vendor_id: product ${id} is held by vendor ${before.vendor_id} with what belongs to it, and can't move; "sources remove" removes it there`;
}

/** Notes the new vendor of a moved product: later records of the product belong to this vendor. */
export function noteMove({ id, vendor_id }: Product, { products }: BatchRun): void {
  const known = products.get(id);
  if (known !== undefined) products.set(id, { ...known, vendor_id });
}
