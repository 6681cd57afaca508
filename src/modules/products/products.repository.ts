import { Injectable } from '@nestjs/common';
import { insertRows, replaceRows, selectByKeys, raiseColumn } from '../../database/bulk.js';
import { Database, type Reader, type Session, type SqlRow } from '../../database/database.js';
import {
  addedAndChanged,
  versionedOf,
  type RecordChange,
  type Versioned,
} from '../../ledger-format/record-version.js';
import type { ProductRow } from './product.entity.js';
import type { Product, ProductOfSource, ProductVersion } from './product.model.js';

const COLUMNS = ['id', 'vendor_id', 'name'] as const;
const SOURCED_COLUMNS = [...COLUMNS, 'source_vendor_id', 'source_version'] as const;
const STORED_COLUMNS = [...SOURCED_COLUMNS, 'record_version'] as const;

/**
 * Contains all SQL on products. It is hand-written, because reads through TypeORM take more CPU
 * (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class ProductsRepository {
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
    return selectByKeys<Product>(
      reader,
      `SELECT ${COLUMNS.join(', ')} FROM products`,
      ['id'],
      Array.from(ids, (id) => [id]),
    );
  }

  /** Returns the ids of those of these users who have products. */
  async vendorsAmong(session: Session, user_ids: readonly number[]): Promise<number[]> {
    const rows = await selectByKeys<Pick<Product, 'vendor_id'>>(
      session,
      'SELECT DISTINCT vendor_id FROM products',
      ['vendor_id'],
      user_ids.map((id) => [id]),
    );
    return rows.map(({ vendor_id }) => vendor_id);
  }

  /** Reads products and locks them until the session ends. */
  async lockedProducts(
    session: Session,
    ids: Iterable<number>,
  ): Promise<Versioned<ProductOfSource>[]> {
    const rows = await selectByKeys<ProductRow>(
      session,
      `SELECT ${STORED_COLUMNS.join(', ')} FROM products`,
      ['id'],
      Array.from(ids, (id) => [id]),
      `ORDER BY id ${session.dialect.forUpdate}`,
    );
    return rows.map(versionedOf);
  }

  /** Counts the products that sources and upstreams of a vendor created, up to a limit. */
  async countOfSources(session: Session, vendor_id: number, limit: number): Promise<number> {
    const [row] = await session.select<{ readonly created: number }>(
      `SELECT COUNT(*) AS created FROM
        (SELECT id FROM products WHERE source_vendor_id = ? LIMIT ?) some`,
      [vendor_id, limit],
    );
    return row?.created ?? 0;
  }

  async saveProducts(
    session: Session,
    products: readonly RecordChange<ProductOfSource>[],
  ): Promise<void> {
    const { added, changed } = addedAndChanged(products);
    await insertRows(session, 'products', STORED_COLUMNS, added.map(rowOf));
    await replaceRows(session, 'products', STORED_COLUMNS, changed.map(rowOf), ['id']);
  }

  async remove(session: Session, id: number): Promise<void> {
    await session.run('DELETE FROM products WHERE id = ?', [id]);
  }

  async raiseVersions(
    session: Session,
    products: readonly Versioned<Product>[],
    column: ProductVersion,
  ): Promise<void> {
    const rows = products.map(({ content, record_version }) => [content.id, record_version]);
    await raiseColumn(session, 'products', column, ['id'], rows);
  }
}

function rowOf({ content, record_version }: Versioned<ProductOfSource>): SqlRow {
  return [...SOURCED_COLUMNS.map((column) => content[column]), record_version];
}
