import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonOfText, objectWriter } from '../../src/common/json-text.js';
import { holds } from '../support/properties.js';

/** Any code unit: controls and halves of pairs among them, which no well-formed text has. */
const codeUnits = fc
  .array(
    fc.oneof(
      fc.nat({ max: 0xffff }),
      fc.nat({ max: 0x1f }),
      fc.constantFrom(0x22, 0x5c, 0x2f, 0x7f, 0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff),
      fc.integer({ min: 0xd7fe, max: 0xe001 }),
    ),
    { maxLength: 12 },
  )
  .map((units) => String.fromCharCode(...units));
const texts = fc.oneof(codeUnits, fc.string(), fc.string({ unit: 'binary' }));

describe('jsonOfText', () => {
  it('writes each code unit as JSON.stringify does', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const text = String.fromCharCode(unit);
      if (jsonOfText(text) !== JSON.stringify(text)) {
        expect({ unit, json: jsonOfText(text) }).toEqual({ unit, json: JSON.stringify(text) });
      }
    }
  });

  it('writes every text as JSON.stringify does', async () => {
    await holds(
      fc.property(texts, (text) => {
        expect(jsonOfText(text)).toBe(JSON.stringify(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('writes the absence of a text as null', () => {
    expect(jsonOfText(null)).toBe('null');
  });

  it.each(['null', 'true', '1', '{}'])('writes the text %s as a text', (text) => {
    expect(jsonOfText(text)).toBe(JSON.stringify(text));
  });
});

describe('objectWriter', () => {
  const field = fc.oneof(texts, fc.constantFrom('__proto__', 'constructor', 'a'));
  const value = fc.oneof(texts, fc.constant(null), fc.integer(), fc.boolean(), fc.constant([]));
  const object = fc.uniqueArray(fc.tuple(field, value), {
    minLength: 1,
    maxLength: 8,
    selector: ([name]) => name,
  });

  it('writes every object as a reader of JSON expects it, its fields in their order', async () => {
    await holds(
      fc.property(object, (entries) => {
        const write = objectWriter(entries.map(([name]) => name));
        const json = write((index) => JSON.stringify(entries[index]?.[1]));
        const one = entries.map(
          ([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`,
        );
        expect(json).toBe(`{${one.join(',')}}`);
        expect(() => JSON.parse(json) as unknown).not.toThrow();
      }),
      { numRuns: 5_000 },
    );
  });

  it('keeps nothing of one object for the next', () => {
    const write = objectWriter(['a', 'b']);
    expect(write((index) => ['1', 'null'][index] ?? '')).toBe('{"a":1,"b":null}');
    expect(write((index) => ['null', '"null"'][index] ?? '')).toBe('{"a":null,"b":"null"}');
    expect(write(() => 'null')).toBe('{"a":null,"b":null}');
  });
});
