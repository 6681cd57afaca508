import { readProduct, type ProductRecord } from '../../../ledger-format/product.record.js';
import type { ProductsService } from '../../products/products.service.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type References,
} from '../batch-run.js';
import type { Change, RecordKind } from '../record-kind.js';
import { missingUser } from './missing-references.js';

/** Applies `product` records. */
export class ProductRecords implements RecordKind<ProductRecord> {
  readonly type = 'product';
  readonly read = readProduct;

  constructor(private readonly products: ProductsService) {}

  identity(product: ProductRecord): string {
    return String(product.id);
  }

  noteReferences({ vendor_id }: ProductRecord, references: References): void {
    references.users.add(vendor_id);
  }

  async stored(run: BatchRun, products: readonly ProductRecord[]) {
    const ids = new Set([...run.references.products, ...products.map(({ id }) => id)]);
    const stored = await this.products.storedProducts(run.session, ids);
    for (const product of stored) this.noteExistence(product, BEFORE_THE_BATCH, run);
    return stored.map((content) => ({ content, overruled: null }));
  }

  /** A product keeps its vendor: its transactions are the vendor's, and those may not move. */
  refusal(
    product: ProductRecord,
    line: number,
    run: BatchRun,
    before: ProductRecord | undefined,
  ): string | null {
    const missing = missingUser('vendor_id', product.vendor_id, line, run);
    if (missing !== null) return missing;
    return before !== undefined && before.vendor_id !== product.vendor_id
      ? `vendor_id: product ${product.id} is another vendor's and can't move`
      : null;
  }

  noteExistence(product: ProductRecord, since: number, run: BatchRun): void {
    run.products.set(product.id, { since, vendor_id: product.vendor_id });
  }

  referredTo({ products }: References): Iterable<string> {
    return Array.from(products, String);
  }

  audited(before: ProductRecord, after: ProductRecord): AuditedChange {
    return { action: 'product.import', subject: `product ${after.id}`, before, after };
  }

  async save(run: BatchRun, changes: readonly Change<ProductRecord>[]): Promise<void> {
    const products = changes.map(({ after }) => after);
    await this.products.saveProducts(run.session, products);
  }
}
