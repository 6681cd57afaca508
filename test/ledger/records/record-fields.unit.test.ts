import { describe, expect, it } from '@jest/globals';
import { MILLIONTHS } from '../../../src/platform/values/money.js';
import { RecordFields } from '../../../src/ledger/records/record-fields.js';
import { LINES_TEXT, LONG_TEXT, TRACKING_TEXT } from '../../../src/ledger/files/text-rule.js';

/** Returns the faults that are noted for this value of a field named `f`. */
function faultsOf(value: unknown, read: (fields: RecordFields) => unknown): readonly string[] {
  const fields = new RecordFields(value === undefined ? {} : { f: value });
  read(fields);
  return fields.faults.texts();
}

type Read = (fields: RecordFields) => unknown;
const REQUIRED: readonly (readonly [string, Read])[] = [
  ['text', (fields) => fields.text('f')],
  ['long text', (fields) => fields.text('f', LONG_TEXT)],
  ['matching text', (fields) => fields.matching('f', /^a$/, 'an a')],
  ['an id', (fields) => fields.id('f')],
  ['a whole number', (fields) => fields.integer('f')],
  ['a flag', (fields) => fields.flag('f')],
  ['a choice', (fields) => fields.choice('f', ['A', 'B'])],
  ['money', (fields) => fields.money('f')],
  ['a moment', (fields) => fields.dateTime('f')],
  ['a day', (fields) => fields.day('f')],
  ['an object', (fields) => fields.object('f')],
];
const OPTIONAL: readonly (readonly [string, Read])[] = [
  ['text', (fields) => fields.optionalText('f')],
  ['long text', (fields) => fields.optionalText('f', LONG_TEXT)],
  ['an id', (fields) => fields.optionalId('f')],
  ['a whole number', (fields) => fields.optionalInteger('f')],
  ['a flag', (fields) => fields.optionalFlag('f')],
  ['a choice', (fields) => fields.optionalChoice('f', ['A', 'B'])],
  ['money', (fields) => fields.optionalMoney('f')],
  ['a shipping fee', (fields) => fields.optionalDecimal('f', MILLIONTHS)],
  ['an object', (fields) => fields.optionalObject('f')],
];

describe('a field that is required', () => {
  it.each(REQUIRED)('must not be absent or null: %s', (_, read) => {
    expect(faultsOf(undefined, read)).toEqual([expect.stringMatching(/^f: must be given/)]);
    expect(faultsOf(null, read)).toEqual([expect.stringMatching(/^f: must be given/)]);
  });
});

describe('a field that is optional', () => {
  it.each(OPTIONAL)('is null if it is absent or null: %s', (_, read) => {
    for (const values of [{}, { f: null }]) {
      const fields = new RecordFields(values);
      expect([read(fields), fields.faults.texts()]).toEqual([null, []]);
    }
  });

  it('is an empty list if a list is absent', () => {
    expect(new RecordFields({}).optionalList('f', 10)).toEqual([]);
  });

  it('is not read from the prototype', () => {
    expect(new RecordFields({}).optionalText('constructor')).toBeNull();
  });
});

describe('a value of the right type', () => {
  it.each<[string, unknown, Read, unknown]>([
    ['text', ' Zoë 🙂\u0080\u2028', (fields) => fields.text('f'), ' Zoë 🙂\u0080\u2028'],
    ['lines', 'a\t\r\nb', (fields) => fields.text('f', LINES_TEXT), 'a\t\r\nb'],
    ['2,048', 'x'.repeat(2_048), (f) => f.text('f', TRACKING_TEXT), 'x'.repeat(2_048)],
    ['any text', '\0\ud800', (fields) => fields.anyText('f'), '\0\ud800'],
    ['empty text', '', (fields) => fields.text('f'), ''],
    ['255 characters', 'x'.repeat(255), (fields) => fields.text('f'), 'x'.repeat(255)],
    ['255 emoji', '🙂'.repeat(255), (fields) => fields.text('f'), '🙂'.repeat(255)],
    ['16,000', 'x'.repeat(16_000), (fields) => fields.text('f', LONG_TEXT), 'x'.repeat(16_000)],
    ['an id', 1, (fields) => fields.id('f'), 1],
    ['zero', 0, (fields) => fields.integer('f'), 0],
    ['the most', 2 ** 53 - 1, (fields) => fields.integer('f'), 2 ** 53 - 1],
    ['a share', 100, (fields) => fields.optionalInteger('f', 0, 100), 100],
    ['false', false, (fields) => fields.flag('f'), false],
    ['a word', 'B', (fields) => fields.choice('f', ['A', 'B']), 'B'],
    ['money', '-18.8', (fields) => fields.money('f'), -1_880],
    ['nothing', '-0.00', (fields) => fields.money('f', 'zero_or_more'), 0],
    ['a fee', '1.000001', (fields) => fields.optionalDecimal('f', MILLIONTHS), 1_000_001],
    ['a moment', '2025-06-01T14:03:11-04:00', (f) => f.dateTime('f'), '2025-06-01 18:03:11'],
    ['a day', '2024-02-29', (fields) => fields.day('f'), '2024-02-29'],
  ])('is accepted: %s', (_, value, read, expected) => {
    const fields = new RecordFields({ f: value });
    expect([read(fields), fields.faults.texts()]).toEqual([expected, []]);
  });
});

describe('a value of the wrong type', () => {
  it.each<[string, unknown, Read, RegExp]>([
    ['a number as text', 1, (fields) => fields.text('f'), /must be text/],
    ['an object as text', {}, (fields) => fields.optionalText('f'), /must be text/],
    ['256 characters', 'x'.repeat(256), (fields) => fields.text('f'), /at most 255 characters/],
    ['256 emoji', '🙂'.repeat(256), (fields) => fields.text('f'), /at most 255 characters/],
    [
      '16,001',
      'x'.repeat(16_001),
      (fields) => fields.text('f', LONG_TEXT),
      /at most 16,000 characters/,
    ],
    ['2,049', 'x'.repeat(2_049), (f) => f.text('f', TRACKING_TEXT), /at most 2,048 characters/],
    ['a tab', 'a\tb', (fields) => fields.text('f'), /without control characters/],
    ['a line break', 'a\nb', (f) => f.optionalText('f'), /without control characters/],
    ['a delete character', '\u007f', (f) => f.text('f', TRACKING_TEXT), /control characters/],
    ['a form feed in lines', '\f', (f) => f.text('f', LINES_TEXT), /control characters/],
    ['a null character in a key', 'a\0', (f) => f.matching('f', /./s, 'an a'), /control char/],
    ['half a surrogate pair', 'a\ud83d', (fields) => fields.text('f'), /surrogate/],
    [
      'text of another form',
      'b',
      (fields) => fields.matching('f', /^a$/, 'an a'),
      /be an a, not "b"$/,
    ],
    ['an id of 0', 0, (fields) => fields.id('f'), /whole number, 1 or more/],
    ['a negative number', -1, (fields) => fields.integer('f'), /whole number, 0 or more/],
    ['a fraction', 1.5, (fields) => fields.integer('f'), /whole number/],
    ['a number as text', '1', (fields) => fields.integer('f'), /whole number/],
    ['a number above 2^53', 2 ** 53, (fields) => fields.integer('f'), /whole number/],
    ['101 percent', 101, (fields) => fields.optionalInteger('f', 0, 100), /0 to 100/],
    ['1 as a flag', 1, (fields) => fields.flag('f'), /must be true or false/],
    ['"false" as a flag', 'false', (fields) => fields.optionalFlag('f'), /true or false/],
    ['another word', 'C', (fields) => fields.choice('f', ['A', 'B']), /must be A or B/],
    ['a word in small letters', 'a', (f) => f.optionalChoice('f', ['A', 'B']), /must be A or B/],
    ['money as a number', 47, (fields) => fields.money('f'), /at most 2 decimal places, not 47$/],
    ['3 places', '1.000', (fields) => fields.money('f'), /at most 2 decimal places, not "1\.000"$/],
    ['14 digits', '12345678901234', (fields) => fields.money('f'), /13 digits before the point/],
    ['7 places', '1.0000000', (f) => f.optionalDecimal('f', MILLIONTHS), /6 decimal places, not /],
    ['less than nothing', '-0.01', (f) => f.money('f', 'zero_or_more'), /zero or more/],
    ['more than nothing', '0.01', (f) => f.money('f', 'zero_or_less'), /zero or less/],
    ['a moment without offset', '2025-06-01T12:00:00', (f) => f.dateTime('f'), /with an offset/],
    ['a moment as a number', 1_748_779_200, (f) => f.dateTime('f'), /with an offset/],
    ['a moment in another form', '06/01/2025', (f) => f.dateTime('f'), /as 2025-06-01T14:03:11-04/],
    ['a moment that is none', '2026-11-31T10:00:00Z', (f) => f.dateTime('f'), /31 does not exist$/],
    ['a day that is none', '2025-02-29', (f) => f.day('f'), /but 2025-02-29 does not exist$/],
    [
      'a day in another form',
      '2025-6-1',
      (fields) => fields.day('f'),
      /calendar date.*as 2025-06-/,
    ],
    ['a day before 1000', '0999-12-31', (fields) => fields.day('f'), /from the year 1000/],
    ['a list as an object', [], (fields) => fields.object('f'), /must be an object/],
    ['text as an object', 'a', (fields) => fields.optionalObject('f'), /must be an object/],
    ['an object as a list', {}, (fields) => fields.optionalList('f', 10), /must be a list/],
  ])('is one error that says what the value must be: %s', (_, value, read, fault) => {
    expect(faultsOf(value, read)).toEqual([expect.stringMatching(/^f: must be /)]);
    expect(faultsOf(value, read)).toEqual([expect.stringMatching(fault)]);
  });
});

describe('errors', () => {
  it('have the path of their field', () => {
    const fields = new RecordFields({ customer: { email: 1 }, items: [{ name: 'a' }, {}, 3] });
    fields.object('customer').text('email');
    for (const item of fields.optionalList('items', 10)) item.text('name');
    expect(fields.faults.texts()).toEqual([
      'customer.email: must be text, not 1',
      'items[2]: must be an object, not 3',
      'items[1].name: must be given: text',
    ]);
  });

  it('are all found, not only the first', () => {
    const fields = new RecordFields({ a: 1, c: 'x' });
    fields.text('a');
    fields.text('b');
    fields.money('c');
    expect(fields.faults.texts()).toHaveLength(3);
  });

  it('for a missing object name the object, not its fields', () => {
    const fields = new RecordFields({});
    fields.object('customer').text('email');
    expect(fields.faults.texts()).toEqual(['customer: must be given: an object']);
  });

  it('show the value shortened, on one line without control characters', () => {
    const fields = new RecordFields({ a: ['x'], b: `\u001b[2J\n${'x'.repeat(70)}` });
    fields.text('a');
    fields.money('b');
    expect(fields.faults.texts()).toEqual([
      'a: must be text, not a list',
      `b: must be decimal text with at most 2 decimal places, not "\\u001b[2J\\n${'x'.repeat(55)}…"`,
    ]);
  });
});

describe('an address of the web', () => {
  const read: Read = (fields) => fields.optionalWebAddress('f', TRACKING_TEXT);

  it.each([
    'https://x.example/a?b=javascript:',
    'HTTP://x.example',
    'www.x.example/a:b',
    '/a',
    '',
    null,
  ])('may be %j', (value) => {
    expect(faultsOf(value, read)).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'ftp://x.example',
  ])('must not be %j', (value) => {
    expect(faultsOf(value, read)).toEqual([
      expect.stringMatching(/^f: must be an http or https address/),
    ]);
  });
});
