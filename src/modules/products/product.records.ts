import type { RecordFields } from '../../ledger-format/record-fields.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type References,
} from '../../ledger-format/ledger.model.js';
import type { Change, RecordKind } from '../../ledger-format/record-batch.js';
import type { Product } from './product.model.js';
import type { ProductsRepository } from './products.repository.js';

/** The `product` records of a ledger file (ledger format: product). */
export class ProductRecords implements RecordKind<Product> {
  readonly type = 'product';
  constructor(private readonly repository: ProductsRepository) {}

  read(fields: RecordFields, references: References): Product {
    const vendor_id = fields.id('vendor_id');
    references.users.add(vendor_id);
    return { id: fields.id('id'), vendor_id, name: fields.plainText('name') };
  }

  identity(product: Product): string {
    return String(product.id);
  }

  async stored(run: BatchRun, products: readonly Product[]): Promise<readonly Product[]> {
    const ids = new Set([...run.references.products, ...products.map(({ id }) => id)]);
    const stored = await this.repository.productsByIds(run.session, ids);
    for (const product of stored) this.noteExistence(product, BEFORE_THE_BATCH, run);
    return stored;
  }

  /** A product keeps its vendor: its transactions are the vendor's, and those may not move. */
  refusal(
    product: Product,
    line: number,
    run: BatchRun,
    before: Product | undefined,
  ): string | null {
    if (!run.hasUser(product.vendor_id, line)) {
      return `vendor_id: there is no user ${product.vendor_id}`;
    }
    return before !== undefined && before.vendor_id !== product.vendor_id
      ? `vendor_id: product ${product.id} is another vendor's and can't move`
      : null;
  }

  noteExistence(product: Product, since: number, run: BatchRun): void {
    run.products.set(product.id, { since, vendor_id: product.vendor_id });
  }

  referredTo({ products }: References): Iterable<string> {
    return Array.from(products, String);
  }

  audited(before: Product, after: Product): AuditedChange {
    return { action: 'product.import', subject: `product ${after.id}`, before, after };
  }

  async save(run: BatchRun, changes: readonly Change<Product>[]): Promise<void> {
    await this.repository.saveProducts(
      run.session,
      changes.map(({ after }) => after),
    );
  }
}
