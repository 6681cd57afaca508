/** An extension whose notes are records of the feed, and whose listener counts changes. */
import { Injectable, type Type } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Feature } from '../../../src/feature.js';
import {
  ChangeListener,
  type LedgerChange,
} from '../../../src/ledger/changes/change-listener.model.js';
import {
  ChangeSource,
  type ContentCriteria,
} from '../../../src/ledger/changes/change-source.model.js';
import { ExtensionChangesService } from '../../../src/ledger/changes/extension-changes.service.js';
import { selectByKeys, upsertRows } from '../../../src/platform/database/bulk.js';
import { Database, type Session } from '../../../src/platform/database/database.js';
import { createTables } from '../../../src/platform/database/migrations/create-table.js';
import { extensionOf } from '../../support/servers/extension.js';

export class Notes1771000000000 implements MigrationInterface {
  readonly name = 'Notes1771000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'notes',
        columns: {
          vendor_id: 'BIGINT NOT NULL',
          transaction_id: 'VARCHAR(255) NOT NULL',
          text: 'VARCHAR(255) NOT NULL',
        },
        primaryKey: ['vendor_id', 'transaction_id'],
      },
      {
        name: 'notes_counts',
        columns: {
          vendor_id: 'BIGINT NOT NULL',
          changes: 'BIGINT NOT NULL',
          last_sequence: 'BIGINT NOT NULL',
        },
        primaryKey: ['vendor_id'],
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes');
    await runner.query('DROP TABLE notes_counts');
  }
}

/** Lets a test look into an instance of the extension, and disturb it. */
@Injectable()
export class Disturbances {
  /** Runs when changes are read. */
  whenRead: (vendor_id: number) => Promise<void> = () => Promise.resolve();
  /** Runs in the listener's transaction after its writes. */
  afterWork: (vendor_id: number) => Promise<void> | void = () => undefined;
  /** Changes that the listener got, also those whose transaction was rolled back. */
  readonly got: { readonly vendor_id: number; readonly change: LedgerChange }[] = [];
}

interface Note {
  readonly transaction_id: string;
  readonly text: string;
}

@Injectable()
class NoteChangeSource extends ChangeSource {
  readonly kind: string = 'notes';

  constructor(private readonly disturbances: Disturbances) {
    super();
  }

  override async contentsOf({ reader, vendor_id, record_keys, isMasked }: ContentCriteria) {
    await this.disturbances.whenRead(vendor_id);
    const notes = await selectByKeys<Note>(
      reader,
      'SELECT transaction_id, text FROM notes',
      ['vendor_id', 'transaction_id'],
      record_keys.map((key) => [vendor_id, key]),
    );
    const shown = ({ transaction_id, text }: Note) =>
      JSON.stringify({ transaction_id, text: isMasked ? '' : text });
    return new Map(notes.map((note) => [note.transaction_id, shown(note)]));
  }
}

/** Counts all changes. A change that comes twice, or out of order, is an error. */
@Injectable()
class ChangeCounter extends ChangeListener {
  readonly name = 'notes';

  constructor(private readonly disturbances: Disturbances) {
    super();
  }

  override async changed(session: Session, vendor_id: number, changes: readonly LedgerChange[]) {
    for (const change of changes) this.disturbances.got.push({ vendor_id, change });
    const sql = 'SELECT last_sequence FROM notes_counts WHERE vendor_id = ?';
    const [kept] = await session.select<{ readonly last_sequence: number }>(sql, [vendor_id]);
    let last = kept?.last_sequence ?? 0;
    for (const { sequence } of changes) {
      if (sequence <= last) throw new Error(`the change ${sequence} came after ${last}`);
      last = sequence;
    }
    const columns = ['vendor_id', 'changes', 'last_sequence'];
    const rows = [[vendor_id, changes.length, last]];
    await upsertRows(
      session,
      'notes_counts',
      columns,
      rows,
      ['vendor_id'],
      [
        { column: 'changes', by: 'add' },
        { column: 'last_sequence', by: 'replace' },
      ],
    );
    await this.disturbances.afterWork(vendor_id);
  }
}

/** Listens to notes alone. */
@Injectable()
class NoteListener extends ChangeListener {
  readonly name = 'notes-only';
  override readonly kinds = ['notes'];
  readonly got: LedgerChange[] = [];

  override changed(_session: Session, _vendor_id: number, changes: readonly LedgerChange[]) {
    this.got.push(...changes);
    return Promise.resolve();
  }
}

@Injectable()
export class Notes {
  constructor(
    private readonly database: Database,
    private readonly changes: ExtensionChangesService,
    readonly disturbances: Disturbances,
    readonly listener: NoteListener,
  ) {}

  put(vendor_id: number, transaction_id: string, text: string): Promise<void> {
    return this.database.write(async (session) => {
      const key = ['vendor_id', 'transaction_id'];
      const row = [vendor_id, transaction_id, text];
      const change = [{ column: 'text', by: 'replace' }] as const;
      await upsertRows(session, 'notes', [...key, 'text'], [row], key, change);
      await this.record(session, vendor_id, transaction_id);
    });
  }

  remove(vendor_id: number, transaction_id: string): Promise<void> {
    return this.database.write(async (session) => {
      const sql = 'DELETE FROM notes WHERE vendor_id = ? AND transaction_id = ?';
      await session.run(sql, [vendor_id, transaction_id]);
      const removed = { vendor_id, kind: 'notes', record_key: transaction_id };
      await this.changes.remove(session, [removed]);
    });
  }

  /** Records a change, of any kind. */
  note(vendor_id: number, kind: string, record_key: string): Promise<void> {
    return this.database.write((session) =>
      this.changes.record(session, [{ vendor_id, kind, record_key }]),
    );
  }

  private record(session: Session, vendor_id: number, record_key: string): Promise<void> {
    return this.changes.record(session, [{ vendor_id, kind: 'notes', record_key }]);
  }
}

@Feature({
  providers: [Notes, Disturbances],
  migrations: [Notes1771000000000],
  changes: [NoteChangeSource],
  onChanges: [ChangeCounter, NoteListener],
})
class NotesModule {}

export const NOTES = notesOf(NotesModule);

export function notesOf(module: Type) {
  return extensionOf(module, { name: 'notes' });
}
