import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import { StoredRecords } from '../../database/stored-records.js';
import type { RecordChange } from '../../ledger-format/overruled-fields.js';
import type { ProductRow } from './product.entity.js';
import type { Product, ProductOfSource } from './product.model.js';

const COLUMNS = ['id', 'vendor_id', 'name'] as const;

/**
 * Contains all SQL on products. It is hand-written, because reads through TypeORM take more CPU
 * (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class ProductsRepository {
  readonly records = new StoredRecords({
    name: 'products',
    key: ['id'],
    columns: [...COLUMNS, 'source_vendor_id', 'source_version', 'record_version'],
    isLockedInOrder: true,
    contentOf: ({ record_version: _, ...product }: ProductRow): ProductOfSource => product,
    rowOf: ({ content }: RecordChange<ProductOfSource>) => ({ ...content }),
  });

  constructor(private readonly database: Database) {}

  productsOfVendor(vendor_id: number): Promise<Product[]> {
    return this.database.select<Product>(
      `SELECT ${COLUMNS.join(', ')} FROM products WHERE vendor_id = ? ORDER BY id`,
      [vendor_id],
    );
  }

  async productById(id: number): Promise<Product | null> {
    const [product] = await this.database.select<Product>(
      `SELECT ${COLUMNS.join(', ')} FROM products WHERE id = ?`,
      [id],
    );
    return product ?? null;
  }

  productsByIds(reader: Reader, ids: Iterable<number>): Promise<Product[]> {
    const select = `SELECT ${COLUMNS.join(', ')} FROM products`;
    return selectByKeys<Product>(reader, select, ['id'], [...ids]);
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
    await session.run('DELETE FROM products WHERE id = ?', [id]);
  }
}
