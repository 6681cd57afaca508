import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/errors/api-error.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import type { ChangedRecord } from '../../ledger/changes/change.model.js';
import { ChangesService } from '../../ledger/changes/changes.service.js';
import type { Product, ProductOfSource } from './product.model.js';
import { ProductsRepository } from './products.repository.js';

@Injectable()
export class ProductsService {
  constructor(
    private readonly repository: ProductsRepository,
    private readonly changes: ChangesService,
    private readonly database: Database,
  ) {}

  /** Locks products with their versions; `saveProducts` saves them. */
  get records(): Omit<ProductsRepository['records'], 'save'> {
    return this.repository.records;
  }

  /** Returns a vendor's products, sorted by id. */
  productsOf(vendor_id: number): Promise<Product[]> {
    return this.repository.productsOfVendor(vendor_id);
  }

  /** Returns a vendor's products with the lowest ids, sorted by id. */
  firstOf(vendor_id: number, limit: number): Promise<Product[]> {
    return this.repository.productsOfVendor(vendor_id, limit);
  }

  /**
   * Returns a product of this vendor.
   * @throws ApiError not_found if it does not exist, foreign_product if it belongs to another
   *   vendor
   */
  async ownProduct(vendor_id: number, product_id: number): Promise<Product> {
    const product = await this.repository.productById(product_id);
    if (product === null) throw new ApiError('not_found', 'There is no such product.');
    return productOf(vendor_id, product);
  }

  /**
   * Returns a product of this vendor, or null if it does not exist. Statistics, which are requested
   * often, read it without TypeORM.
   * @throws ApiError foreign_product if it belongs to another vendor
   */
  async findOwnProduct(vendor_id: number, product_id: number): Promise<Product | null> {
    const [product] = await this.readProducts(this.database, [product_id]);
    return product === undefined ? null : productOf(vendor_id, product);
  }

  /** Returns products of all vendors by id. Unknown ids are skipped. */
  productsByIds(ids: Iterable<number>): Promise<Product[]> {
    return this.repository.productsByIds([...ids]);
  }

  /**
   * Returns products as `productsByIds` does, for imports, feeds and statistics: without TypeORM.
   */
  readProducts(reader: Reader, ids: Iterable<number>): Promise<ProductOfSource[]> {
    const keys = Array.from(ids, (id) => ({ id }));
    return this.records.read(reader, keys);
  }

  /** Returns the vendors of the products of these records, by product. */
  async vendorsOf(
    records: readonly { readonly product_id: number }[],
    reader: Reader,
  ): Promise<ReadonlyMap<number, number>> {
    const ids = new Set(records.map(({ product_id }) => product_id));
    const products = await this.readProducts(reader, ids);
    return new Map(products.map(({ id, vendor_id }) => [id, vendor_id]));
  }

  /** Returns the ids of those of these users who have products. */
  vendorsAmong(session: Session, user_ids: readonly number[]): Promise<number[]> {
    return this.repository.vendorsAmong(session, user_ids);
  }

  /**
   * Inserts new products and replaces locked ones. If a product moves to another vendor, the feed
   * of changes of its previous vendor reports it as removed.
   */
  async saveProducts(
    session: Session,
    products: readonly RecordChange<ProductOfSource>[],
  ): Promise<void> {
    await this.repository.records.save(session, products);
    const left = products.flatMap(({ before, content }) =>
      before === undefined || before.vendor_id === content.vendor_id
        ? []
        : [changedProduct(before)],
    );
    await this.changes.remove(session, left);
    const changed = products.map(({ content }) => changedProduct(content));
    await this.changes.record(session, changed);
  }

  /** Removes a locked product to which no other records belong. */
  async remove(session: Session, product: Product): Promise<void> {
    await this.repository.remove(session, product.id);
    await this.changes.remove(session, [changedProduct(product)]);
  }
}

/** @throws ApiError foreign_product if the product belongs to another vendor */
function productOf(vendor_id: number, product: Product): Product {
  if (product.vendor_id === vendor_id) return product;
  throw new ApiError('foreign_product', "This product is another vendor's.");
}

function changedProduct({ id, vendor_id }: Product): ChangedRecord {
  return { vendor_id, kind: 'product', record_key: String(id) };
}
