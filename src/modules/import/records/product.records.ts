import { readProduct } from '../../../ledger-format/product.record.js';
import type { Versioned } from '../../../ledger-format/record-version.js';
import { isSame } from '../../../ledger-format/same-content.js';
import type { Product, ProductOfSource } from '../../products/product.model.js';
import type { ProductsService } from '../../products/products.service.js';
import { BEFORE_THE_BATCH, type BatchRun } from '../batch-run.js';
import { neverOverruled, type RecordKind } from '../record-kind.js';
import { CreatedBySource } from './created-by-source.js';
import {
  comparedWith,
  productWithSource,
  storedProduct,
  versionColumnOf,
} from './product-versions.js';
import { movableProducts, moveProblem, noteMove, type OwnersOfRecords } from './moving-products.js';
import { missingUser } from './references.js';

interface Services extends OwnersOfRecords {
  readonly products: ProductsService;
  /** Maximum number of products that the sources and upstreams of a vendor may create. */
  readonly most: number;
}

/** Applies `product` records. */
export function productRecords({
  products,
  most,
  ...owners
}: Services): RecordKind<ProductOfSource> {
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
      created = await createdProducts(products, run, records, most);
      const before = stored.map(({ content }) => content);
      movable = await movableProducts(owners, run, records, before);
      return neverOverruled(stored.map((product) => comparedWith(product, run)));
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
      return { action: 'product.import', subject: `product ${after.id}`, before: was, after: is };
    },
    save: (run, changes) =>
      products.saveProducts(
        run.session,
        changes.map((change) =>
          storedProduct(change, versions.get(change.content.id) ?? null, run),
        ),
      ),
    raiseVersions: (run, records) =>
      products.raiseVersions(run.session, records, versionColumnOf(run)),
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
): Promise<Versioned<ProductOfSource>[]> {
  const own = new Set(records.map(({ id }) => id));
  const stored = await products.lockedProducts(run.session, own);
  const others = [...run.references.products].filter((id) => !own.has(id));
  const referredTo = await products.storedProducts(run.session, others);
  for (const product of [...stored.map(({ content }) => content), ...referredTo]) {
    addProduct(product, BEFORE_THE_BATCH, run);
  }
  return stored;
}

/** Counts the products that the sources of a vendor have created, if the batch has new ones. */
async function createdProducts(
  products: ProductsService,
  { session, onlyVendor, products: known }: BatchRun,
  records: readonly Product[],
  most: number,
): Promise<CreatedBySource | null> {
  if (onlyVendor === null || records.every(({ id }) => known.has(id))) return null;
  return CreatedBySource.count(session, onlyVendor, {
    setting: 'SOURCE_MAX_PRODUCTS',
    most,
    count: (...args) => products.countOfSources(...args),
  });
}

function addProduct({ id, vendor_id }: Product, since: number, run: BatchRun): void {
  run.products.set(id, { since, vendor_id });
}

/** Returns the fields of the record, without those that the service adds. */
function recordIn({ id, vendor_id, name }: ProductOfSource): Product {
  return { id, vendor_id, name };
}
