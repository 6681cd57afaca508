import { Injectable } from '@nestjs/common';
import { replaceRows } from '../../../database/bulk.js';
import { Database, type Session } from '../../../database/database.js';
import type { ErasureFile } from '../tombstones/erased-person.model.js';

const KEY = ['id'] as const;
const COLUMNS = [...KEY, 'entries', 'bytes', 'ending', 'secret', 'through', 'seen'] as const;

/** Runs the SQL on what the database has recorded about files of erasures. */
@Injectable()
export class ErasureFilesRepository {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<ErasureFile | null> {
    const [row] = await this.database.select<ErasureFile>(
      `SELECT ${COLUMNS.join(', ')} FROM erasure_files WHERE id = ?`,
      [id],
    );
    return row ?? null;
  }

  async save(session: Session, file: ErasureFile): Promise<void> {
    const row = COLUMNS.map((column) => file[column]);
    await replaceRows(session, 'erasure_files', COLUMNS, [row], KEY);
  }
}
