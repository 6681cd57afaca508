import { Injectable } from '@nestjs/common';
import { In, Repository } from 'typeorm';
import { batchesOf, selectByKeys } from '../../platform/database/bulk.js';
import type { Session } from '../../platform/database/database.js';
import { columnsOfEntity } from '../../platform/database/entities/entity-rows.js';
import { InjectRepository } from '../../platform/database/entities/inject-repository.js';
import { StoredRecords } from '../../ledger/writes/stored-records.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import { ProductEntity, type ProductRow } from './product.entity.js';
import type { Product, ProductOfSource } from './product.model.js';

/** Selects the columns that a ledger file contains. */
const SHOWN = { id: true, vendor_id: true, name: true } as const;

/**
 * Contains all SQL on products. `records` and the statement that imports need are hand-written
 * (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class ProductsRepository {
  readonly records = new StoredRecords({
    name: 'products',
    key: ['id'],
    columns: columnsOfEntity(ProductEntity),
    isLockedInOrder: true,
    contentOf: ({ record_version: _, ...product }: ProductRow): ProductOfSource => product,
    rowOf: ({ content }: RecordChange<ProductOfSource>) => ({ ...content }),
  });

  constructor(@InjectRepository(ProductEntity) private readonly products: Repository<ProductRow>) {}

  /**
   * Returns the products of a vendor as raw rows, because there may be thousands.
   * @param limit maximum number; by default all
   */
  productsOfVendor(vendor_id: number, limit?: number): Promise<Product[]> {
    return this.products
      .createQueryBuilder('p')
      .select('p.id', 'id')
      .addSelect('p.vendor_id', 'vendor_id')
      .addSelect('p.name', 'name')
      .where({ vendor_id })
      .orderBy('p.id')
      .limit(limit)
      .getRawMany<Product>();
  }

  productById(id: number): Promise<Product | null> {
    return this.products.findOne({ select: SHOWN, where: { id } });
  }

  async productsByIds(ids: readonly number[]): Promise<Product[]> {
    const found: Product[] = [];
    for (const batch of batchesOf(ids)) {
      found.push(...(await this.products.find({ select: SHOWN, where: { id: In(batch) } })));
    }
    return found;
  }

  /** Returns the ids of those of these users who have products. */
  async vendorsAmong(session: Session, user_ids: readonly number[]): Promise<number[]> {
    const rows = await selectByKeys<Pick<Product, 'vendor_id'>>(
      session,
      'SELECT DISTINCT vendor_id FROM products',
      ['vendor_id'],
      user_ids,
    );
    return rows.map(({ vendor_id }) => vendor_id);
  }

  async remove(session: Session, id: number): Promise<void> {
    await session.manager.withRepository(this.products).delete({ id });
  }
}
