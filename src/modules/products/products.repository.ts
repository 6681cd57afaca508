import { Injectable } from '@nestjs/common';
import { replaceRows, rowsByKeys } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import type { Product } from './product.model.js';

const COLUMNS = ['id', 'vendor_id', 'name'] as const;
type Row = [number, number, string];

/**
 * All SQL on products. By hand: through TypeORM, 20 product names cost 53 % more CPU a request on MariaDB
 * (275 µs for 180), and 59 % more on SQLite.
 */
@Injectable()
export class ProductsRepository {
  constructor(private readonly database: Database) {}

  async productsOfVendor(vendor_id: number): Promise<Product[]> {
    const rows = await this.database.rows<Row>(
      `SELECT ${COLUMNS.join(', ')} FROM products WHERE vendor_id = ? ORDER BY id`,
      [vendor_id],
    );
    return rows.map(productOf);
  }

  async productById(id: number): Promise<Product | null> {
    const [row] = await this.database.rows<Row>(
      `SELECT ${COLUMNS.join(', ')} FROM products WHERE id = ?`,
      [id],
    );
    return row === undefined ? null : productOf(row);
  }

  async productsByIds(reader: Reader, ids: Iterable<number>): Promise<Product[]> {
    const rows = await rowsByKeys<Row>(
      reader,
      `SELECT ${COLUMNS.join(', ')} FROM products`,
      ['id'],
      Array.from(ids, (id) => [id]),
    );
    return rows.map(productOf);
  }

  async saveProducts(session: Session, products: readonly Product[]): Promise<void> {
    const rows = products.map((product) => COLUMNS.map((column) => product[column]));
    await replaceRows(session, 'products', COLUMNS, rows, ['id']);
  }
}

function productOf([id, vendor_id, name]: Row): Product {
  return { id, vendor_id, name };
}
