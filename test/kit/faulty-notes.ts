/** A small extension with notes on sales, in which a test switches on one fault at a time. */
import {
  AllowAccess,
  ApiError,
  ApiField,
  ApiOperation,
  Body,
  ChangeListener,
  checkedBy,
  createTables,
  CurrentPrincipal,
  Database,
  Delete,
  EntitySchema,
  ExtensionController,
  Feature,
  Get,
  Injectable,
  IsText,
  key,
  longText,
  optional,
  Param,
  Put,
  Query,
  Res,
  text,
  wholeNumber,
  type ExtensionDeclaration,
  type MigrationInterface,
  type Principal,
  type QueryRunner,
  type Session,
} from '../../src/extension.js';
import {
  READING,
  transactionOf,
  WRITING,
  type Row,
  type Whose,
} from '../../testing/src/ledger/access-row.js';
import {
  ContactEntity,
  ContactsRepository,
  MORE_ROWS,
  MoreController,
  NotesContacts1790000000001,
} from './faulty-lists.js';
import { Faults, KeptTexts } from './faults.js';

interface Note {
  readonly transaction_id: string;
  readonly text: string;
}

const API = '/extensions/notes/v1';
const MAX_TEXT = 1_000;
const MAX_NOTES = 99;

const NoteEntity = new EntitySchema<Note & { vendor_id: number; copy: string | null }>({
  name: 'Note',
  tableName: 'notes',
  columns: {
    vendor_id: key(wholeNumber()),
    transaction_id: key(text()),
    text: longText(),
    copy: optional(longText()),
  },
});

const CountEntity = new EntitySchema<{ vendor_id: number; changes: number }>({
  name: 'NotesCount',
  tableName: 'notes_counts',
  columns: { vendor_id: key(wholeNumber()), changes: wholeNumber() },
});

class Notes1790000000000 implements MigrationInterface {
  readonly name = 'Notes1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    const columns = {
      vendor_id: 'BIGINT NOT NULL',
      transaction_id: 'VARCHAR(255) NOT NULL',
      text: 'TEXT NOT NULL',
      copy: 'TEXT',
    };
    const counts = { vendor_id: 'BIGINT NOT NULL', changes: 'BIGINT NOT NULL' };
    await createTables(runner, [
      { name: 'notes', columns, primaryKey: ['vendor_id', 'transaction_id'] },
      { name: 'notes_counts', columns: counts, primaryKey: ['vendor_id'] },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes_counts');
    await runner.query('DROP TABLE notes');
  }
}

class NotesQuery {
  @ApiField('Maximum number of notes.', 10)
  @IsText()
  limit!: string;
}

class NoteBody {
  @ApiField('The note.', 'Called back.')
  @checkedBy({
    name: 'isNote',
    says: `a text of at most ${MAX_TEXT} characters`,
    schema: { type: 'string', maxLength: MAX_TEXT },
    validate: (value) => typeof value === 'string' && value.length <= MAX_TEXT,
  })
  text!: string;
}

@Injectable()
class NotesRepository {
  constructor(
    private readonly database: Database,
    private readonly faults: Faults,
  ) {}

  /** Returns the vendors that have a sale of this id: at most one, and its name. */
  async ownerOf(transaction_id: string): Promise<{ vendor_id: number; name: string } | undefined> {
    const [owner] = await this.database.select<{ vendor_id: number; name: string }>(
      `SELECT t.vendor_id, u.name FROM transactions t JOIN users u ON u.id = t.vendor_id
       WHERE t.transaction_id = ?`,
      [transaction_id],
    );
    return owner;
  }

  async hasSale(vendor_id: number, transaction_id: string): Promise<boolean> {
    const sql = 'SELECT vendor_id FROM transactions WHERE vendor_id = ? AND transaction_id = ?';
    return (await this.database.select(sql, [vendor_id, transaction_id])).length > 0;
  }

  async note(vendor_id: number, transaction_id: string): Promise<Note | undefined> {
    const isForgotten = this.faults.has('forgets the vendor in a query');
    const sql = 'SELECT transaction_id, text FROM notes WHERE';
    const [note] = await this.database.select<Note>(
      isForgotten ? `${sql} transaction_id = ?` : `${sql} vendor_id = ? AND transaction_id = ?`,
      isForgotten ? [transaction_id] : [vendor_id, transaction_id],
    );
    return note;
  }

  notes(vendor_id: number, limit: number): Promise<Note[]> {
    const isForgotten = this.faults.has('forgets the vendor in a list');
    return this.database.select<Note>(
      `SELECT transaction_id, text FROM notes ${isForgotten ? '' : 'WHERE vendor_id = ?'}
       ORDER BY transaction_id LIMIT ?`,
      isForgotten ? [limit] : [vendor_id, limit],
    );
  }

  async save(vendor_id: number, { transaction_id, text: note }: Note): Promise<void> {
    const copy = this.faults.has('keeps a copy of the text') ? note : null;
    await this.database.write(async (session) => {
      await this.remove(session, vendor_id, transaction_id);
      await session.run(
        'INSERT INTO notes (vendor_id, transaction_id, text, copy) VALUES (?, ?, ?, ?)',
        [vendor_id, transaction_id, note, copy],
      );
      if (this.faults.has('forgets the vendor in an update')) {
        await session.run('UPDATE notes SET text = ? WHERE vendor_id > ?', [note, 0]);
      }
    });
  }

  async delete(vendor_id: number, transaction_id: string): Promise<void> {
    await this.database.write((session) => this.remove(session, vendor_id, transaction_id));
  }

  private remove(session: Session, vendor_id: number, transaction_id: string): Promise<number> {
    const sql = 'DELETE FROM notes WHERE vendor_id = ? AND transaction_id = ?';
    return session.run(sql, [vendor_id, transaction_id]);
  }
}

@Injectable()
class NotesService {
  constructor(
    private readonly repository: NotesRepository,
    private readonly faults: Faults,
    private readonly kept: KeptTexts,
  ) {}

  async noteOf(principal: Principal, transaction_id: string): Promise<object> {
    await this.checkSale(principal.user_id, transaction_id);
    const note = await this.repository.note(principal.user_id, transaction_id);
    if (note === undefined) throw new ApiError('not_found', 'This sale has no note.');
    return this.shown(principal, note);
  }

  async notes(principal: Principal, limit: number): Promise<object[]> {
    const notes = await this.repository.notes(principal.user_id, limit);
    return notes.map((note) => this.shown(principal, note));
  }

  async save(principal: Principal, note: Note): Promise<object> {
    const isUnchecked = this.faults.has('does not check the owner of a sale');
    if (!isUnchecked) await this.checkSale(principal.user_id, note.transaction_id);
    if (this.faults.has('fails at a quotation mark') && note.text === "'") {
      throw new Error('near "\'": syntax error');
    }
    await this.repository.save(principal.user_id, note);
    this.kept.set(principal.user_id, note.text);
    return this.shown(principal, note);
  }

  async delete(principal: Principal, transaction_id: string): Promise<void> {
    await this.checkSale(principal.user_id, transaction_id);
    await this.repository.delete(principal.user_id, transaction_id);
  }

  /** Returns a note as the answers have it. The service masks its text in the statement. */
  private shown({ access, user_id }: Principal, note: Note): object {
    const isLeaked =
      access === 'masked' && this.faults.has('shows a masked key the text under another name');
    return isLeaked ? { ...note, preview: this.kept.get(user_id) } : note;
  }

  private async checkSale(vendor_id: number, transaction_id: string): Promise<void> {
    if (await this.repository.hasSale(vendor_id, transaction_id)) return;
    if (this.faults.has('quotes another vendor in an error')) {
      const owner = await this.repository.ownerOf(transaction_id);
      if (owner !== undefined) throw new ApiError('not_found', `It belongs to ${owner.name}.`);
    }
    throw new ApiError('not_found', 'There is no such sale.');
  }
}

function limitOf(limit: string): number {
  return Math.min(Number.parseInt(limit) || 1, MAX_NOTES);
}

/** Counts the changes of each ledger. */
@Injectable()
export class ChangeCounter extends ChangeListener {
  readonly name = 'notes';

  constructor(private readonly faults: Faults) {
    super();
  }

  async changed(session: Session, vendor_id: number, changes: readonly object[]): Promise<void> {
    const condition = this.faults.has('forgets the vendor in a listener')
      ? `vendor_id + 0 = ${vendor_id}`
      : `vendor_id = ${vendor_id}`;
    const sql = `UPDATE notes_counts SET changes = changes + ? WHERE ${condition}`;
    if ((await session.run(sql, [changes.length])) > 0) return;
    await session.run('INSERT INTO notes_counts (vendor_id, changes) VALUES (?, ?)', [
      vendor_id,
      changes.length,
    ]);
  }
}

@ExtensionController('notes', 1)
class NotesController {
  constructor(
    private readonly service: NotesService,
    private readonly faults: Faults,
    private readonly kept: KeptTexts,
  ) {}

  @Get('notes')
  @ApiOperation({ id: 'listNotes', summary: 'List your notes' })
  async notes(@CurrentPrincipal() principal: Principal, @Query() { limit }: NotesQuery) {
    const isRefused = !/^[1-9]\d?$/.test(limit) && !this.faults.has('takes any limit');
    if (isRefused) throw new ApiError('invalid_parameters', 'limit must be from 1 to 99.');
    return { results: await this.service.notes(principal, limitOf(limit)) };
  }

  @Get('sales/:transaction_id/note')
  @ApiOperation({ id: 'getNote', summary: 'Get the note of a sale', failures: ['not_found'] })
  async note(
    @CurrentPrincipal() principal: Principal,
    @Param('transaction_id') transaction_id: string,
    @Res({ passthrough: true }) response: { setHeader(name: string, value: string): unknown },
  ) {
    const isLeaked = this.faults.has('shows a masked key the text in a header');
    if (isLeaked && principal.access === 'masked') {
      response.setHeader('X-Note', this.kept.get(principal.user_id) ?? '');
    }
    return { results: [await this.service.noteOf(principal, transaction_id)] };
  }

  @Put('sales/:transaction_id/note')
  @AllowAccess('full', 'read')
  @ApiOperation({ id: 'setNote', summary: 'Set the note of a sale', failures: ['not_found'] })
  async save(
    @CurrentPrincipal() principal: Principal,
    @Param('transaction_id') transaction_id: string,
    @Body() body: NoteBody,
  ) {
    if (principal.access === 'read' && !this.faults.has('lets a read key write')) {
      throw new ApiError('insufficient_access', 'This key may only read.');
    }
    return { results: [await this.service.save(principal, { transaction_id, text: body.text })] };
  }

  @Delete('sales/:transaction_id/note')
  @ApiOperation({ id: 'deleteNote', summary: 'Delete the note of a sale', failures: ['not_found'] })
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('transaction_id') transaction_id: string,
  ) {
    await this.service.delete(principal, transaction_id);
    return { results: [] };
  }
}

@Feature({
  controllers: [NotesController, MoreController],
  providers: [Faults, KeptTexts, NotesRepository, NotesService, ContactsRepository],
  entities: [NoteEntity, CountEntity, ContactEntity],
  migrations: [Notes1790000000000, NotesContacts1790000000001],
  onChanges: [ChangeCounter],
  personalTables: [
    { entity: NoteEntity, by: 'transaction', key: 'transaction_id', columns: { text: '' } },
    {
      entity: ContactEntity,
      by: 'email',
      key: 'email',
      date: 'saved',
      columns: { email: '', name: '' },
    },
  ],
})
class NotesModule {}

export const NOTES: ExtensionDeclaration = {
  name: 'notes',
  compatibility: '*',
  versions: [1],
  module: () => Promise.resolve(NotesModule),
};

const noteOf = (whose: Whose) => `${API}/sales/${transactionOf(whose)}/note`;

export const ROWS: readonly Row[] = [
  {
    operation: `GET ${API}/notes`,
    path: () => `${API}/notes?limit=10`,
    names: 'nothing',
    allows: READING,
    personal: true,
  },
  {
    operation: `GET ${API}/sales/{transaction_id}/note`,
    path: noteOf,
    names: 'transaction',
    allows: READING,
    personal: true,
  },
  {
    operation: `PUT ${API}/sales/{transaction_id}/note`,
    path: noteOf,
    names: 'transaction',
    allows: WRITING,
    body: { text: 'Called back.' },
    texts: ['text'],
    personal: true,
  },
  {
    operation: `DELETE ${API}/sales/{transaction_id}/note`,
    path: noteOf,
    names: 'transaction',
    allows: WRITING,
  },
  ...MORE_ROWS,
];
