import { Injectable } from '@nestjs/common';
import { replaceRows, upsertRows } from '../../../database/bulk.js';
import type { Reader, Session } from '../../../database/database.js';
import { ALL_VENDORS } from '../tombstones/erased-person.model.js';
import type { EarlyErasures, OpenImport } from './open-import.entity.js';

const COLUMNS = ['id', 'vendor_id', 'ends'] as const;

/** Runs the SQL on open imports, and counts tombstones of customers whose data may still arrive. */
@Injectable()
export class OpenImportsRepository {
  /** Adds an import or extends it, and removes imports whose process has ended. */
  async save(session: Session, open: OpenImport, now: string): Promise<void> {
    await session.run('DELETE FROM open_imports WHERE ends < ?', [now]);
    const row = COLUMNS.map((column) => open[column]);
    await replaceRows(session, 'open_imports', COLUMNS, [row], ['id']);
  }

  async remove(session: Session, id: string): Promise<void> {
    await session.run('DELETE FROM open_imports WHERE id = ?', [id]);
  }

  /**
   * Returns true if an open import may bring records of the vendor. For ALL_VENDORS, any import
   * counts.
   */
  async isOpen(reader: Reader, vendor_id: number, now: string): Promise<boolean> {
    const isOfVendor = vendor_id === ALL_VENDORS ? '' : 'AND vendor_id IN (?, ?)';
    const vendors = vendor_id === ALL_VENDORS ? [] : [ALL_VENDORS, vendor_id];
    const rows = await reader.select<Pick<OpenImport, 'id'>>(
      `SELECT id FROM open_imports WHERE ends >= ? ${isOfVendor} LIMIT 1`,
      [now, ...vendors],
    );
    return rows.length > 0;
  }

  /** Counts a tombstone of a customer without stored data. @returns the vendor's new number */
  async countEarly(session: Session, vendor_id: number): Promise<number> {
    const columns = ['vendor_id', 'tombstones'] as const;
    await upsertRows(
      session,
      'early_erasures',
      columns,
      [[vendor_id, 1]],
      ['vendor_id'],
      [{ column: 'tombstones', by: 'add' }],
    );
    const [row] = await session.select<EarlyErasures>(
      'SELECT vendor_id, tombstones FROM early_erasures WHERE vendor_id = ?',
      [vendor_id],
    );
    return row?.tombstones ?? 0;
  }
}
