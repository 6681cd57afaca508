import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseDecimal } from '../../src/platform/values/money.js';
import { processorStopwatch } from '../support/processes/stopwatch.js';

/** With quadratic time, a text of this length takes half a second. */
const LENGTH = 20_000;
const MOST_MS = 50;
const TRIES = 3;

/** Texts that a pattern may have to repeat. */
const REPEATED = [
  ...Array.from('aA_0917 \t\n/,.;:-+=@?#%&()[]{}"\'\\<>|*$^~\u0000\u202e\u00e9'),
  'a,',
  '0.',
  ', ',
  'a ',
  'a=',
  '%41',
  '\r\n',
  ' #',
  'mysql://',
  '{a}',
  '::',
  'é🙂',
];
const ENDS = ['', '!', '\u0001', 'x', ' '];

interface Pattern {
  readonly file: string;
  readonly pattern: RegExp;
}

/** Returns every pattern in the files below a folder. */
function patternsOf(folder: string): Pattern[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|js)$/.test(name))
    .map((name) => join(folder, name))
    .flatMap(patternsIn);
}

function patternsIn(file: string): Pattern[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: Pattern[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ file, pattern: patternOf(node.text) });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function patternOf(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** Returns the least processor time of a few attempts, in milliseconds. */
function leastMs(work: () => unknown): number {
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least > MOST_MS; tried += 1) {
    const elapsed = processorStopwatch();
    work();
    least = Math.min(least, elapsed());
  }
  return least;
}

/** Returns the texts that take too long. */
function slowTexts(
  work: (text: string) => unknown,
  { parts = REPEATED, ends = ENDS }: { parts?: readonly string[]; ends?: readonly string[] } = {},
): string[] {
  return parts.flatMap((part) => {
    const body = part.repeat(LENGTH / part.length);
    return ends
      .filter((end) => leastMs(() => work(body + end)) > MOST_MS)
      .map((end) => `${JSON.stringify(part)} many times and ${JSON.stringify(end)}`);
  });
}

describe('a regular expression takes linear time', () => {
  const patterns = [...patternsOf('src'), ...patternsOf('assets')];

  it('in every file', () => {
    expect(patterns.length).toBeGreaterThan(50);
    const slow = patterns.flatMap(({ file, pattern }) =>
      slowTexts((text) => text.replace(pattern, '')).map((text) => `${file} ${pattern}: ${text}`),
    );
    expect(slow).toEqual([]);
  });

  it.each([
    [/\/+$/, '/'],
    [/^0*(\d+)$/, '0'],
  ])('and %s, which takes longer, is detected', (pattern, part) => {
    const one = { parts: [part], ends: ['x'] };
    expect(slowTexts((text) => pattern.test(text), one)).toHaveLength(1);
  });
});

it('parseDecimal reads text of any length in linear time', () => {
  expect(slowTexts((text) => parseDecimal(text, 2))).toEqual([]);
  expect(parseDecimal(`-${'0'.repeat(250_000)}18.8`, 2)).toBe(-1_880);
});
