import { readProduct } from '../../../ledger/records/user.record.js';
import type { RecordChange, Stored } from '../../../ledger/records/overruled-fields.js';
import { isSame } from '../../../ledger/records/same-content.js';
import type {
  Product,
  ProductCount,
  ProductOfSource,
  ProductsService,
} from '../../products/index.js';
import { BEFORE_THE_BATCH, type BatchRun, CreatedBySource } from '../batches/batch-run.js';
import type { RecordKind } from '../batches/typed-batch.js';
import { missingUser } from './references.js';
import type { Session } from '../../../platform/database/database.js';
import type { RecordServices } from './record-services.js';

/** Applies `product` records. */
export function productRecords(services: RecordServices): RecordKind<ProductOfSource> {
  const { products, most } = services;
  /** Versions of the operator's last records, by product id. */
  const versions = new Map<number, number | null>();
  let created: CreatedBySource | null = null;
  let movable: ReadonlySet<number> = new Set();

  return {
    type: 'product',
    read: (fields) => ({ ...readProduct(fields), source_vendor_id: null, source_version: null }),
    identity: ({ id }) => String(id),
    addReferences: ({ vendor_id }, references) => {
      references.users.add(vendor_id);
    },
    stored: async (run, records) => {
      const stored = await storedProducts(products, run, records);
      for (const { content, record_version } of stored) versions.set(content.id, record_version);
      const isNeeded = records.some(({ id }) => !run.products.has(id));
      created = await CreatedBySource.count(run, isNeeded, {
        setting: 'SOURCE_MAX_PRODUCTS',
        most: most.products,
        records: products.records,
      });
      const before = stored.map(({ content }) => content);
      movable = await movableProducts(services, run, records, before);
      return stored.map((product) => comparedWith(product, run));
    },
    keptOf: (run) => Promise.resolve((product, before) => productWithSource(product, before, run)),
    problem: (product, line, run, before) =>
      missingUser('vendor_id', product.vendor_id, line, run) ??
      moveProblem(product, before, movable, run),
    forVendor: (product, { vendor_id }, _, before) => {
      if (product.vendor_id !== vendor_id) {
        return { reject: `vendor_id: this source writes only for user ${vendor_id}` };
      }
      const beyond = before === undefined ? (created?.take() ?? null) : null;
      return beyond === null ? { apply: product } : { reject: beyond };
    },
    addToRun: addProduct,
    accepted: noteMove,
    referredTo: (references) => Array.from(references.products, String),
    audited: (before, after) => {
      const [was, is] = [recordIn(before), recordIn(after)];
      if (isSame(was, is)) return null;
      const [account_id, subject] = [after.vendor_id, `product ${after.id}`];
      return { account_id, action: 'product.import', subject, before: was, after: is };
    },
    save: (run, changes) =>
      products.saveProducts(
        run.session,
        changes.map((change) =>
          storedProduct(change, versions.get(change.content.id) ?? null, run),
        ),
      ),
    raiseVersions: ({ session, onlyVendor }, records) => {
      const column = onlyVendor === null ? 'record_version' : 'source_version';
      return products.records.raiseVersions(session, records, column);
    },
  };
}

/**
 * Locks the products of the records. Adds them to the run, with products that other records refer
 * to.
 */
async function storedProducts(
  products: ProductsService,
  run: BatchRun,
  records: readonly Product[],
): Promise<Stored<ProductOfSource>[]> {
  const own = new Set(records.map(({ id }) => id));
  const stored = await products.records.locked(
    run.session,
    Array.from(own, (id) => ({ id })),
  );
  const others = [...run.references.products].filter((id) => !own.has(id));
  const referredTo = await products.readProducts(run.session, others);
  for (const product of [...stored.map(({ content }) => content), ...referredTo]) {
    addProduct(product, BEFORE_THE_BATCH, run);
  }
  return stored;
}

function addProduct({ id, vendor_id }: Product, since: number, run: BatchRun): void {
  run.products.set(id, { since, vendor_id });
}

/** Returns the fields of the record, without those that the service adds. */
function recordIn({ id, vendor_id, name }: ProductOfSource): Product {
  return { id, vendor_id, name };
}

/**
 * Adds the source and the last version of a source to a product. A product is provisional until a
 * record of the operator names it.
 */
function productWithSource(
  product: ProductOfSource,
  before: ProductOfSource | undefined,
  { onlyVendor }: BatchRun,
): ProductOfSource {
  const source = before === undefined ? onlyVendor : before.source_vendor_id;
  return {
    ...product,
    source_vendor_id: onlyVendor === null ? null : source,
    // The source of another vendor has its own versions.
    source_version: before?.vendor_id === product.vendor_id ? before.source_version : null,
  };
}

/**
 * Returns a stored product with the version that records of this run are compared with. A record of
 * the operator is compared with the operator's version only, a record of a source with the higher
 * of both.
 */
function comparedWith(
  stored: Stored<ProductOfSource>,
  { onlyVendor }: BatchRun,
): Stored<ProductOfSource> {
  const { source_version } = stored.content;
  if (onlyVendor === null || source_version === null) return stored;
  return { ...stored, record_version: Math.max(stored.record_version ?? 0, source_version) };
}

/**
 * Returns the product to store. The version of a source's record is stored beside the operator's.
 * @param operatorsVersion the stored version of the operator's last record
 */
function storedProduct(
  change: RecordChange<ProductOfSource>,
  operatorsVersion: number | null,
  { onlyVendor }: BatchRun,
): RecordChange<ProductOfSource> {
  if (onlyVendor === null) return change;
  const content = { ...change.content, source_version: change.record_version };
  return { ...change, content, record_version: operatorsVersion };
}

/**
 * Returns the products that records of the operator may move to another vendor because no records
 * belong to them. Locks the ledgers of their vendors first, so that no records are added meanwhile.
 * @param stored the locked products of the records
 */
async function movableProducts(
  services: RecordServices,
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
  const vendors = there.map(({ vendor_id }) => vendor_id);
  if (dryRun === null) await services.transactions.lock(session, vendors, []);
  const found = await countsOf(services, session, there);
  found.push(...((await dryRun?.belongings([...wanted])) ?? []));
  const counts = new Map<number, number>();
  for (const { product_id, found: count } of found) {
    counts.set(product_id, (counts.get(product_id) ?? 0) + count);
  }
  return new Set([...wanted].filter((id) => (counts.get(id) ?? 0) <= 0));
}

/** Counts the records of each kind that belong to stored products. */
async function countsOf(
  { affiliates, recurring, transactions }: RecordServices,
  session: Session,
  products: readonly Product[],
): Promise<ProductCount[]> {
  const ids = products.map(({ id }) => id);
  const found = [...(await affiliates.reads.affiliatesOfProducts(session, ids))];
  for (const vendor_id of new Set(products.map((product) => product.vendor_id))) {
    const own = products.filter((product) => product.vendor_id === vendor_id).map(({ id }) => id);
    found.push(...(await transactions.salesOfProducts(session, vendor_id, own)));
    found.push(...(await recurring.reads.paymentsOfProducts(session, vendor_id, own)));
  }
  return found;
}

/** Returns the reason why a product cannot move to the vendor of a record, or null. */
function moveProblem(
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
function noteMove({ id, vendor_id }: Product, { products }: BatchRun): void {
  const known = products.get(id);
  if (known !== undefined) products.set(id, { ...known, vendor_id });
}
