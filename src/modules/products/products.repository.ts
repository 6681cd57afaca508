import { Injectable } from '@nestjs/common';
import { replaceRows, rowsByKeys } from '../../database/bulk.js';
import type { Session } from '../../database/database.js';
import type { Product } from './product.model.js';

const COLUMNS = ['id', 'vendor_id', 'name'] as const;

/** All SQL on products. */
@Injectable()
export class ProductsRepository {
  async productsByIds(session: Session, ids: Iterable<number>): Promise<Product[]> {
    const rows = await rowsByKeys<[number, number, string]>(
      session,
      `SELECT ${COLUMNS.join(', ')} FROM products`,
      ['id'],
      Array.from(ids, (id) => [id]),
    );
    return rows.map(([id, vendor_id, name]) => ({ id, vendor_id, name }));
  }

  async saveProducts(session: Session, products: readonly Product[]): Promise<void> {
    const rows = products.map((product) => COLUMNS.map((column) => product[column]));
    await replaceRows(session, 'products', COLUMNS, rows, ['id']);
  }
}
