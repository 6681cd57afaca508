import { readProduct, type ProductRecord } from '../../../ledger-format/product.record.js';
import type { ProductsService } from '../../products/products.service.js';
import { BEFORE_THE_BATCH, type BatchRun } from '../batch-run.js';
import { neverOverruled, type RecordKind } from '../record-kind.js';
import { missingUser } from './references.js';

/** Applies `product` records. */
export function productRecords(products: ProductsService): RecordKind<ProductRecord> {
  return {
    type: 'product',
    read: readProduct,
    identity: ({ id }) => String(id),
    addReferences: ({ vendor_id }, references) => {
      references.users.add(vendor_id);
    },
    stored: async (run, records) => {
      const own = new Set(records.map(({ id }) => id));
      const stored = await products.lockedProducts(run.session, own);
      const others = [...run.references.products].filter((id) => !own.has(id));
      const referredTo = await products.storedProducts(run.session, others);
      for (const product of [...stored.map(({ content }) => content), ...referredTo]) {
        addProduct(product, BEFORE_THE_BATCH, run);
      }
      return neverOverruled(stored);
    },
    /** A product keeps its vendor: its transactions are the vendor's, and those may not move. */
    problem: ({ id, vendor_id }, line, run, before) => {
      const missing = missingUser('vendor_id', vendor_id, line, run);
      if (missing !== null) return missing;
      return before !== undefined && before.vendor_id !== vendor_id
        ? `vendor_id: product ${id} is another vendor's and can't move`
        : null;
    },
    forVendor: (product, { vendor_id }) =>
      product.vendor_id === vendor_id
        ? { apply: product }
        : { reject: `vendor_id: this source writes only for user ${vendor_id}` },
    addToRun: addProduct,
    referredTo: (references) => Array.from(references.products, String),
    audited: (before, after) => {
      return { action: 'product.import', subject: `product ${after.id}`, before, after };
    },
    save: ({ session }, changes) => products.saveProducts(session, changes),
    raiseVersions: ({ session }, records) => products.raiseVersions(session, records),
  };
}

function addProduct({ id, vendor_id }: ProductRecord, since: number, run: BatchRun): void {
  run.products.set(id, { since, vendor_id });
}
