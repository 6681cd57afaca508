import {
  Body,
  Controller,
  Get,
  HttpCode,
  NotFoundException,
  Param,
  Post,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { MigrationInterface, QueryRunner, Repository } from 'typeorm';
import { IsString } from 'class-validator';
import { ApiField } from '../../../src/api/validation/api-field.js';
import { ApiOperation } from '../../../src/api/versions/api-operation.js';
import { CurrentPrincipal, type Principal } from '../../../src/api/access/principal.js';
import { Feature, type LoadedExtension } from '../../../src/feature.js';
import { InjectRepository } from '../../../src/platform/database/entities/inject-repository.js';
import { createTables } from '../../../src/platform/database/migrations/create-table.js';
import {
  dateTime,
  generatedId,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../../src/platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../src/platform/database/entities/entity-of.js';
import { extensionOf } from './extension.js';

/** Notes on sales. A sale may have many. */
export const NoteEntity = entityOf({
  name: 'Note',
  tableName: 'notes',
  columns: {
    vendor_id: key(wholeNumber()),
    transaction_id: key(text()),
    number: key(wholeNumber()),
    text: longText(),
    author: optional(text()),
    color: text(),
  },
});
export type Note = EntityRow<typeof NoteEntity>;

/** Wishes on subscriptions. */
const WishEntity = entityOf({
  name: 'Wish',
  tableName: 'notes_wishes',
  columns: {
    vendor_id: key(wholeNumber()),
    pre_key: key(text()),
    wish: longText(),
  },
});

/** People who asked for something, with or without a sale. */
const ContactEntity = entityOf({
  name: 'Contact',
  tableName: 'notes_contacts',
  columns: {
    id: generatedId(),
    vendor_id: wholeNumber(),
    address: text(),
    // Its name in SQL is another one.
    caller: { ...optional(text()), name: 'name' },
    asked: dateTime(),
  },
});

export class NotesTables1795000000000 implements MigrationInterface {
  readonly name = 'NotesTables1795000000000';

  async up(runner: QueryRunner): Promise<void> {
    const required = 'VARCHAR(255) NOT NULL';
    await createTables(runner, [
      {
        name: 'notes',
        columns: {
          vendor_id: 'BIGINT NOT NULL',
          transaction_id: required,
          number: 'BIGINT NOT NULL',
          text: 'TEXT NOT NULL',
          author: 'VARCHAR(255)',
          color: required,
        },
        primaryKey: ['vendor_id', 'transaction_id', 'number'],
      },
      {
        name: 'notes_wishes',
        columns: { vendor_id: 'BIGINT NOT NULL', pre_key: required, wish: 'TEXT NOT NULL' },
        primaryKey: ['vendor_id', 'pre_key'],
      },
    ]);
    // An extension may write its own SQL, whose collation on MySQL ignores case.
    const isMysql = runner.dataSource.options.type === 'mysql';
    const id = isMysql ? 'INT AUTO_INCREMENT PRIMARY KEY' : 'INTEGER PRIMARY KEY AUTOINCREMENT';
    const collation = isMysql ? 'DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci' : '';
    await runner.query(
      `CREATE TABLE notes_contacts (id ${id}, vendor_id BIGINT NOT NULL, address ${required},
        name VARCHAR(255), asked DATETIME NOT NULL) ${collation}`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['notes', 'notes_wishes', 'notes_contacts']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}

class ColorBody {
  @ApiField('Color of the notes.', 'red')
  @IsString()
  color!: string;
}

@Controller({ path: 'extensions/notes/v1', version: VERSION_NEUTRAL })
class NotesController {
  constructor(@InjectRepository(NoteEntity) private readonly notes: Repository<Note>) {}

  @Get('notes/:transaction_id')
  @ApiOperation({ id: 'getNote', summary: 'Get a note', description: 'Returns the first note.' })
  async get(
    @CurrentPrincipal() { user_id }: Principal,
    @Param('transaction_id') transaction_id: string,
  ) {
    const note = await this.notes.findOneBy({ vendor_id: user_id, transaction_id });
    if (note === null) throw new NotFoundException();
    return { results: [note] };
  }

  @Get('numbers/:number')
  @ApiOperation({ id: 'getNumber', summary: 'Get by number', description: 'Returns a note.' })
  async byNumber(@CurrentPrincipal() { user_id }: Principal, @Param('number') number: string) {
    return { results: await this.notes.findBy({ vendor_id: user_id, number: Number(number) }) };
  }

  @Post('search')
  @HttpCode(200)
  @ApiOperation({ id: 'searchNotes', summary: 'Search notes', description: 'Returns notes.' })
  async search(@CurrentPrincipal() { user_id }: Principal, @Body() { color }: ColorBody) {
    return { results: await this.notes.findBy({ vendor_id: user_id, color }) };
  }

  @Get('colors')
  @ApiOperation({ id: 'listColors', summary: 'List colors', description: 'Returns colors.' })
  colors() {
    return { results: [{ color: 'red' }] };
  }
}

@Feature({
  controllers: [NotesController],
  entities: [NoteEntity, WishEntity, ContactEntity],
  migrations: [NotesTables1795000000000],
  personalTables: [
    {
      entity: NoteEntity,
      by: 'transaction',
      key: 'transaction_id',
      columns: { text: '', author: null },
    },
    {
      entity: WishEntity,
      by: 'subscription',
      key: 'pre_key',
      change: { kind: 'notes_wishes', key: 'pre_key' },
      columns: { wish: '' },
    },
    {
      entity: ContactEntity,
      by: 'email',
      key: 'address',
      date: 'asked',
      columns: { address: '', caller: null },
    },
  ],
})
export class NotesModule {}

/** An extension with personal data of sales, of subscriptions, and by e-mail. */
export const NOTES: LoadedExtension = extensionOf(NotesModule, { name: 'notes', versions: [1] });
