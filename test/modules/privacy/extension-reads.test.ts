/** Reads of personal data in tables of extensions: masked, recorded, and not kept in audit entries. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Repository } from 'typeorm';
import { AuditLog, AuditService } from '../../../src/modules/audit/index.js';
import { ExtensionOperations } from '../../../src/modules/privacy/reads/extension-operations.js';
import { PersonalReadLog } from '../../../src/modules/privacy/reads/personal-read-log.service.js';
import { PersonalReadsService } from '../../../src/modules/privacy/reads/personal-reads.service.js';
import { Database, type Reader } from '../../../src/platform/database/database.js';
import { PersonalTables } from '../../../src/platform/database/extensions/personal-scope.js';
import { BY_OPERATOR } from '../../../src/platform/values/author.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { NoteEntity, NOTES, type Note } from '../../support/servers/notes-extension.js';
import { Visitor } from '../../support/browser/visitor.js';
import { runCli } from '../../support/processes/cli.js';
import { TestService } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';

const VENDOR = 1;
const PATH = '/extensions/notes/v1/notes/SALE';
const NOTE = {
  vendor_id: VENDOR,
  transaction_id: 'SALE',
  number: 1,
  text: 'Call Ann Otherwood',
  author: 'Bob Marlowe',
  color: 'red',
};
const MASKED = { ...NOTE, text: '', author: null };

let service: TestService;
let database: Database;
let notes: Repository<Note>;
beforeAll(async () => {
  service = await TestService.start({ PERSONAL_DATA_READS: 'on' }, [NOTES]);
  await service.import([user(VENDOR), product(10, VENDOR), transaction('SALE', 10)]);
  database = service.app.get(Database);
  notes = database.manager.getRepository<Note>(NoteEntity);
  await database.write(({ manager }) => manager.getRepository<Note>(NoteEntity).insert(NOTE));
});
afterAll(() => service.stop());

function masked<Result>(work: () => Promise<Result>): Promise<Result> {
  return service.app.get(PersonalTables).masked(work);
}

describe('an operation of an extension', () => {
  it('shows personal data to a full key, and none to a masked one', async () => {
    const full = await service.envelope(PATH, await service.key(VENDOR));
    expect(full.results).toEqual([NOTE]);
    const hidden = await service.envelope(PATH, await service.key(VENDOR, 'masked'));
    expect(hidden.results).toEqual([MASKED]);
  });

  it('is recorded if it read personal data and shows results', async () => {
    const key = await service.key(VENDOR, 'full');
    const search = (color: string) => service.post('/extensions/notes/v1/search', key, { color });
    await service.get('/extensions/notes/v1/colors', key);
    await service.get(PATH, key);
    await service.get('/extensions/notes/v1/numbers/1', key);
    await search('none');
    await search('red');
    await service.app.get(PersonalReadLog).flush();
    const criteria = { vendor_id: VENDOR, first_day: null, last_day: null, record: null };
    const { reads } = await service.app.get(PersonalReadsService).page(criteria, null, 10);
    const ids = new Set(reads.map(({ application_id }) => application_id));
    const own = reads.filter(({ application_id }) => application_id === Math.max(...ids));
    expect(
      own.map(({ operation, record_keys, records, times }) => [
        operation,
        record_keys,
        records,
        times,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['notes.getNote', '\nSALE\n', 1, 1],
        ['notes.getNumber', null, 1, 1],
        ['notes.searchNotes', null, 1, 1],
      ]),
    );
    expect(own).toHaveLength(3);
    const titles = service.app.get(ExtensionOperations).titles();
    expect(titles.get('notes.getNote')).toBe('notes, Get a note');
  });

  it('is listed without the word list, because it may show a single record', async () => {
    const command = await runCli(service.database.url, ['reads', 'list', '--vendor', '1']);
    expect(command.stdout).toMatch(/: notes\.getNumber: 1 record\n/);
    const { text } = await (
      await Visitor.signedIn(service, VENDOR)
    ).get('/account/data-protection');
    expect(text).toMatch(/notes, Get by number<\/div>(?:<[^>]+>)+1 record</);
  });
});

const NAMES = '`text`, author, color';
const SHOWN = { text: '', author: null, color: 'red' };
const SELECTS: Readonly<Record<string, string>> = {
  'a plain SELECT': `SELECT ${NAMES} FROM notes WHERE vendor_id = 1`,
  'an alias': `SELECT n.text, n.author, n.color FROM notes AS n WHERE n.vendor_id = 1`,
  'quoted names': 'SELECT n.`text`, n.`author`, n.`color` FROM `notes` n',
  'other letters': `select ${NAMES} from ${dialect === 'sqlite' ? 'Notes' : 'notes'}`,
  'a join': `SELECT n.text, n.author, n.color FROM transactions t
    JOIN notes n ON n.vendor_id = t.vendor_id AND n.transaction_id = t.transaction_id`,
  'a subquery': `SELECT * FROM (SELECT ${NAMES} FROM notes) inner_notes`,
  'common table expressions': `WITH all_notes AS (SELECT ${NAMES} FROM notes) SELECT * FROM all_notes`,
  'recursive ones': `WITH RECURSIVE one AS (SELECT 1 AS number UNION SELECT number FROM one)
    SELECT ${NAMES} FROM notes JOIN one USING (number)`,
  'a union': `SELECT ${NAMES} FROM notes UNION SELECT ${NAMES} FROM notes`,
};

describe('a masked statement', () => {
  it.each(Object.keys(SELECTS))('shows no personal data with %s', async (name) => {
    const sql = SELECTS[name] ?? '';
    const readers: ((work: (reader: Reader) => Promise<object[]>) => Promise<object[]>)[] = [
      (work) => work(database),
      (work) => database.write(work),
      (work) => database.readSnapshot(() => Promise.resolve(true), work),
    ];
    for (const read of readers) {
      expect(await masked(() => read((reader) => reader.select(sql, [])))).toEqual([SHOWN]);
    }
    const [unmasked] = await database.select<Note>(sql, []);
    expect(unmasked?.text).toBe(NOTE.text);
  });

  it('shows none through repositories', async () => {
    expect(await masked(() => notes.find())).toEqual([MASKED]);
    const built = () => notes.createQueryBuilder('n').select('n.text', 'said').getRawMany();
    expect(await masked(built)).toEqual([{ said: '' }]);
    const inSession = () =>
      database.write(({ manager }) => manager.getRepository<Note>(NoteEntity).find());
    expect(await masked(inSession)).toEqual([MASKED]);
    expect(await notes.find()).toEqual([NOTE]);
  });

  it('finds nothing by personal data', async () => {
    const { text, author } = NOTE;
    expect(await masked(() => notes.findBy({ text }))).toEqual([]);
    expect(await masked(() => notes.countBy({ author }))).toBe(0);
    const sql = "SELECT color FROM notes WHERE text LIKE 'Call%'";
    expect(await masked(() => database.select(sql, []))).toEqual([]);
    expect(await database.select(sql, [])).toHaveLength(1);
  });

  it('must not avoid the mask by the name of the database, an expression or a comment', async () => {
    const schema = dialect === 'sqlite' ? 'main' : new URL(service.database.url).pathname.slice(1);
    const statements = [
      `${schema}.notes`,
      `\`${schema}\`.\`notes\``,
      `${schema} . notes`,
      `${schema}/**/.notes`,
      '(WITH notes AS (SELECT * FROM notes) SELECT * FROM notes) own',
    ].map((from) => `SELECT text FROM ${from}`);
    for (const sql of statements) {
      const read = () => database.select(sql, []);
      await expect(masked(read)).rejects.toThrow('must not have its database');
    }
  });

  it('must not write, because its rows could hold replacements', async () => {
    for (const sql of [
      "UPDATE notes SET color = 'red' RETURNING text",
      "INSERT INTO notes_wishes VALUES (1, 'PRE', '')",
      'DELETE FROM notes WHERE vendor_id = 1',
    ]) {
      const write = () => database.write((session) => session.run(sql, []));
      await expect(masked(write)).rejects.toThrow('must not write to a table with personal data');
    }
    expect(await notes.find()).toEqual([NOTE]);
  });

  it('leaves statements on other tables as they are', async () => {
    expect(await masked(() => database.select('SELECT id FROM users', []))).toEqual([
      { id: VENDOR },
    ]);
  });
});

describe('the audit log of extensions', () => {
  it('keeps no values of personal data, at any depth', async () => {
    const log = service.app.get(AuditLog);
    await database.write((session) =>
      log.record(session, {
        ...BY_OPERATOR,
        action: 'notes.set',
        subject: 'sale SALE',
        before: { text: null, color: 'red' },
        after: {
          note: { text: NOTE.text, color: 'red' },
          all: [{ author: 'Bob' }, 'x', null],
          // One is the property of a column, the other its name in SQL.
          contact: { caller: 'Ann', name: 'Ann' },
        },
      }),
    );
    const [entry] = await service.app.get(AuditService).lastEntries(1);
    expect(entry).toMatchObject({
      action: 'notes.set',
      before: { text: null, color: 'red' },
      after: {
        note: { text: 'not kept', color: 'red' },
        all: [{ author: 'not kept' }, 'x', null],
        contact: { caller: 'not kept', name: 'not kept' },
      },
    });
  });

  it('takes only actions of extensions', async () => {
    const record = (action: string) =>
      database.write((session) =>
        service.app
          .get(AuditLog)
          .record(session, { ...BY_OPERATOR, action, subject: 'x', after: {} }),
      );
    for (const action of ['key.create', 'notes', 'notesx.set', 'other.set']) {
      await expect(record(action)).rejects.toThrow('does not begin with the name');
    }
  });
});
