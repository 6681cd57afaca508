/**
 * Further operations of the faulty extension: a paged list, a search that masked keys may send,
 * customers by their e-mail addresses, and a choice of each user.
 */
import {
  AllowAccess,
  ApiError,
  ApiField,
  ApiOperation,
  Body,
  checkedBy,
  createTables,
  CurrentPrincipal,
  Database,
  Delete,
  EntitySchema,
  ExtensionController,
  Get,
  HttpCode,
  Injectable,
  IsInteger,
  IsString,
  itemsBefore,
  key,
  MaxLength,
  PAGE_INDEX,
  PAGE_SIZE,
  pagedMeta,
  Param,
  Post,
  Put,
  Query,
  text,
  dateTime,
  wholeNumber,
  type MigrationInterface,
  type PageRequest,
  type Principal,
  type QueryRunner,
} from '../../src/extension.js';
import { READING, WRITING, type Row } from '../../testing/src/ledger/access-row.js';
import { customerOf } from '../../testing/src/ledger/checked-ledger.js';
import { Faults, KeptTexts } from './faults.js';

const API = '/extensions/notes/v1';
const EMAIL = /^[a-z0-9.]{1,40}@[a-z0-9.]{1,40}$/;

interface Contact {
  readonly vendor_id: number;
  readonly email: string;
  readonly name: string;
}

export const ContactEntity = new EntitySchema<Contact & { number: number; saved: string }>({
  name: 'NotesContact',
  tableName: 'notes_contacts',
  columns: {
    vendor_id: key(wholeNumber()),
    number: key(wholeNumber()),
    email: text(),
    name: text(),
    saved: dateTime(),
  },
});

export class NotesContacts1790000000001 implements MigrationInterface {
  readonly name = 'NotesContacts1790000000001';

  async up(runner: QueryRunner): Promise<void> {
    const columns = {
      vendor_id: 'BIGINT NOT NULL',
      number: 'BIGINT NOT NULL',
      email: 'VARCHAR(255) NOT NULL',
      name: 'VARCHAR(255) NOT NULL',
      saved: 'DATETIME NOT NULL',
    };
    const primaryKey = ['vendor_id', 'number'];
    await createTables(runner, [{ name: 'notes_contacts', columns, primaryKey }]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notes_contacts');
  }
}

class PageQuery {
  @ApiField('Number of sales on a page.', PAGE_SIZE.default)
  @IsInteger(PAGE_SIZE)
  page_size = String(PAGE_SIZE.default);

  @ApiField('Index of the page.', PAGE_INDEX.default)
  @IsInteger(PAGE_INDEX)
  page_index = String(PAGE_INDEX.default);
}

class TextBody {
  @ApiField('A text.', 'Called back.')
  @IsString()
  @MaxLength(1_000)
  text!: string;
}

class ContactBody {
  @ApiField('E-mail address of the customer.', 'ada@example.test')
  @checkedBy({
    name: 'isEmail',
    says: 'an e-mail address',
    schema: { type: 'string' },
    validate: (value) => typeof value === 'string' && EMAIL.test(value),
  })
  email!: string;

  @ApiField('Name of the customer.', 'Ada')
  @IsString()
  @MaxLength(255)
  name!: string;
}

@Injectable()
export class ContactsRepository {
  constructor(private readonly database: Database) {}

  async sales(vendor_id: number, page: PageRequest): Promise<[object[], number]> {
    const sales = await this.database.select(
      `SELECT transaction_id FROM transactions WHERE vendor_id = ?
       ORDER BY transaction_id LIMIT ? OFFSET ?`,
      [vendor_id, page.page_size, itemsBefore(page)],
    );
    const [all] = await this.database.select<{ readonly sales: number }>(
      'SELECT COUNT(*) AS sales FROM transactions WHERE vendor_id = ?',
      [vendor_id],
    );
    return [sales, all?.sales ?? 0];
  }

  async contact(vendor_id: number, email: string): Promise<object | undefined> {
    const sql = 'SELECT email, name FROM notes_contacts WHERE vendor_id = ? AND email = ?';
    const [found] = await this.database.select(sql, [vendor_id, email]);
    return found;
  }

  async save({ vendor_id, email, name }: Contact): Promise<void> {
    await this.database.write(async (session) => {
      const found = 'DELETE FROM notes_contacts WHERE vendor_id = ? AND email = ?';
      await session.run(found, [vendor_id, email]);
      await session.run(
        `INSERT INTO notes_contacts (vendor_id, number, email, name, saved)
         SELECT ?, COALESCE(MAX(number), 0) + 1, ?, ?, '2025-06-01 12:00:00' FROM notes_contacts
         WHERE vendor_id = ?`,
        [vendor_id, email, name, vendor_id],
      );
    });
  }
}

@ExtensionController('notes', 1)
export class MoreController {
  private readonly choices = new Map<number, string>();

  constructor(
    private readonly contacts: ContactsRepository,
    private readonly faults: Faults,
    private readonly kept: KeptTexts,
  ) {}

  @Get('sales')
  @ApiOperation({ id: 'listSales', summary: 'List your sales' })
  async sales(@CurrentPrincipal() principal: Principal, @Query() query: PageQuery) {
    const page = { page_size: Number(query.page_size), page_index: Number(query.page_index) };
    const [sales, count] = await this.contacts.sales(principal.user_id, page);
    const isLeaked =
      this.faults.has('shows a masked key the text on a later page') && page.page_index > 0;
    const results = isLeaked ? sales.map((sale) => this.leaked(principal, sale)) : sales;
    return { results, meta: pagedMeta(page, count) };
  }

  @Post('search')
  @HttpCode(200)
  @AllowAccess('full', 'read', 'masked')
  @ApiOperation({ id: 'searchNotes', summary: 'Search your notes' })
  search(@CurrentPrincipal() principal: Principal, @Body() body: TextBody) {
    const isLeaked = this.faults.has('shows a masked key the text in a search');
    const found = { asked: body.text };
    return { results: [isLeaked ? this.leaked(principal, found) : found] };
  }

  @Get('contacts/:email')
  @AllowAccess('full', 'read')
  @ApiOperation({ id: 'getContact', summary: 'Get a customer', failures: ['not_found'] })
  async contact(@CurrentPrincipal() { user_id }: Principal, @Param('email') email: string) {
    const found = await this.contacts.contact(user_id, email);
    const named = EMAIL.test(email) ? `There is no ${email}.` : 'There is no such customer.';
    if (found === undefined) throw new ApiError('not_found', named);
    return { results: [found] };
  }

  @Post('contacts')
  @HttpCode(200)
  @ApiOperation({ id: 'addContact', summary: 'Add a customer' })
  async addContact(@CurrentPrincipal() { user_id }: Principal, @Body() body: ContactBody) {
    const { email, name } = body;
    await this.contacts.save({ vendor_id: user_id, email, name });
    return { results: [{ email, name }] };
  }

  @Put('choice')
  @ApiOperation({ id: 'setChoice', summary: 'Set your choice' })
  choose(@CurrentPrincipal() { user_id }: Principal, @Body() body: TextBody) {
    this.choices.set(user_id, body.text);
    return { results: [{ text: body.text }] };
  }

  @Delete('choice')
  @ApiOperation({ id: 'deleteChoice', summary: 'Delete your choice', failures: ['not_found'] })
  deleteChoice(@CurrentPrincipal() { user_id }: Principal) {
    const deleted = this.choices.get(user_id);
    if (deleted === undefined) throw new ApiError('not_found', 'You have no choice.');
    this.choices.delete(user_id);
    return { results: [{ text: deleted }] };
  }

  private leaked({ access, user_id }: Principal, shown: object): object {
    return access === 'masked' ? { ...shown, preview: this.kept.get(user_id) } : shown;
  }
}

export const MORE_ROWS: readonly Row[] = [
  {
    operation: `GET ${API}/sales`,
    path: () => `${API}/sales?page_size=50&page_index=0`,
    names: 'nothing',
    allows: READING,
  },
  {
    operation: `POST ${API}/search`,
    path: () => `${API}/search`,
    names: 'nothing',
    allows: READING,
    body: { text: 'Called back.' },
    texts: ['text'],
    personal: true,
  },
  {
    operation: `GET ${API}/contacts/{email}`,
    path: (whose) => `${API}/contacts/${customerOf(whose)}`,
    names: 'customer',
    // A masked key finds no customer by an e-mail address.
    allows: ['full', 'read'],
    personal: true,
  },
  {
    operation: `POST ${API}/contacts`,
    path: () => `${API}/contacts`,
    names: 'nothing',
    allows: WRITING,
    body: { email: 'ada@example.test', name: 'Ada' },
    texts: ['name'],
    emails: ['email'],
    personal: true,
  },
  {
    operation: `PUT ${API}/choice`,
    path: () => `${API}/choice`,
    names: 'nothing',
    allows: WRITING,
    body: { text: 'by name' },
    texts: ['text'],
  },
  {
    operation: `DELETE ${API}/choice`,
    path: () => `${API}/choice`,
    names: 'nothing',
    allows: WRITING,
  },
];
