import { describe, expect, it } from '@jest/globals';
import {
  extensionSchema,
  personalIn,
  textOfPersonal,
} from '../../../src/platform/database/extensions/extension-tables.js';
import type { PersonalTable } from '../../../src/platform/database/personal-tables.js';
import {
  dateTime,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../../src/platform/database/entities/columns.js';
import { entityOf } from '../../../src/platform/database/entities/entity-of.js';

const columns = {
  vendor_id: key(wholeNumber()),
  transaction_id: key(text()),
  said: { ...longText(), name: 'text' },
  author: optional(text()),
  email: text(),
  at: dateTime(),
  code: { ...text(), unique: true },
};
const entity = entityOf({ name: 'Note', tableName: 'notes', columns });
const OTHER = entityOf({ name: 'Other', tableName: 'notes_others', columns });
const SALE: PersonalTable = {
  entity,
  by: 'transaction',
  key: 'transaction_id',
  columns: { said: '', author: null },
};
const EMAIL: PersonalTable = {
  entity,
  by: 'email',
  key: 'email',
  date: 'at',
  columns: { email: '' },
};

function schemaOf(...personalTables: readonly PersonalTable[]) {
  return extensionSchema({ name: 'notes', entities: [entity], personalTables });
}

describe('The tables of an extension', () => {
  it('are described with the names of their columns in SQL', () => {
    const personal = {
      by: 'transaction',
      key: 'transaction_id',
      date: null,
      primaryKey: ['vendor_id', 'transaction_id'],
      change: null,
      columns: { text: '', author: null },
    };
    const table = { table_name: 'notes', extension: 'notes' };
    expect(schemaOf(SALE)).toEqual({ name: 'notes', tables: [{ ...table, personal }] });
    expect(schemaOf().tables).toEqual([{ ...table, personal: null }]);
  });

  const WRONG: Readonly<Record<string, readonly [PersonalTable, string]>> = {
    'an unknown column': [{ ...SALE, columns: { nothing: '' } }, 'names nothing, which is no'],
    'an unknown key': [{ ...SALE, key: 'nothing' }, 'names nothing, which is no column'],
    'no column': [{ ...SALE, columns: {} }, 'declares none of its columns'],
    'a column of the key': [
      { ...SALE, columns: { vendor_id: '' } },
      'vendor_id cannot be replaced',
    ],
    'its key as a column': [{ ...SALE, columns: { transaction_id: '' } }, 'is its key, and stays'],
    'null for a column that is not null': [{ ...SALE, columns: { said: null } }, 'by null'],
    'an empty text for a date': [{ ...SALE, columns: { at: '' } }, 'by an empty text'],
    'a unique column': [{ ...SALE, columns: { code: '' } }, 'code cannot be replaced'],
    'a date without need': [{ ...SALE, date: 'at' }, 'only a table by e-mail has a date'],
    'an e-mail that stays': [{ ...EMAIL, columns: { author: null } }, 'its key among the declared'],
    'another table': [{ ...SALE, entity: OTHER }, 'personalTables has it, and entities does not'],
  };
  it.each(Object.keys(WRONG))('must not have %s', (name) => {
    const [table, problem] = WRONG[name] ?? [SALE, ''];
    expect(() => schemaOf(table)).toThrow(/^Extension notes: table notes/);
    expect(() => schemaOf(table)).toThrow(problem);
  });

  it('may have changes by a column of their primary key', () => {
    const change = { kind: 'notes', key: 'transaction_id' };
    const [table] = schemaOf({ ...SALE, change }).tables;
    expect(table?.personal).toMatchObject({ change });
    const text = textOfPersonal(table?.personal ?? null) ?? '';
    expect(personalIn(text)).toMatchObject({ change });
    expect(personalIn(text.replace('"kind":"notes"', '"kind":"a b"'))).toBeNull();
    expect(() => schemaOf({ ...SALE, change: { ...change, key: 'said' } })).toThrow('primary key');
  });

  it('are not declared twice', () => {
    expect(() => schemaOf(SALE, SALE)).toThrow('has it twice');
  });
});

describe('A stored declaration', () => {
  const [declared] = schemaOf(EMAIL).tables;
  const stored = textOfPersonal(declared?.personal ?? null) ?? '';

  it('is read as it was written', () => {
    expect(personalIn(stored)).toEqual(declared?.personal);
  });

  it.each([
    ['"by":"email"', '"by":"phone"'],
    ['"key":"email"', '"key":"email; DROP"'],
    ['"date":"at"', '"date":"a`t"'],
    ['"date":"at"', '"date":1'],
    ['"date":"at"', '"date":null'],
    ['["vendor_id","transaction_id"]', '["vendor_id","x\' OR 1"]'],
    ['["vendor_id","transaction_id"]', '[]'],
    ['{"email":""}', '{"email":"erased"}'],
    ['{"email":""}', '{"E-mail":""}'],
    ['{"email":""}', '["email"]'],
    [stored, '[]'],
    [stored, '{'],
  ])('is rejected with another text in place of %s', (from, to) => {
    expect(stored).toContain(from);
    expect(personalIn(stored.replace(from, to))).toBeNull();
  });
});
