import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { withSourcePositions } from '../../../src/platform/errors/source-positions.js';

/** A file of the bundle with code of the service. */
const [FILE = ''] = readdirSync('dist').filter((name) => /^audit\.command-\w+\.js$/.test(name));
const URL_OF_FILE = pathToFileURL(`dist/${FILE}`).href;

it('the positions in the bundle become those in the source, as Node.js finds them', () => {
  const lines = readFileSync(`dist/${FILE}`, 'utf8').split('\n');
  const map = JSON.parse(readFileSync(`dist/${FILE}.map`, 'utf8')) as ConstructorParameters<
    typeof SourceMap
  >[0];
  const node = new SourceMap(map);
  let compared = 0;
  for (const [line, text] of lines.entries()) {
    for (let column = 0; column < text.length; column += 7) {
      const entry = node.findEntry(line, column);
      if (!('originalSource' in entry) || entry.generatedLine !== line) continue;
      const source = new URL(entry.originalSource, URL_OF_FILE).href;
      const found = withSourcePositions(`at f (${URL_OF_FILE}:${line + 1}:${column + 1})`);
      const { originalLine, originalColumn } = entry;
      expect(found).toBe(`at f (${source}:${originalLine + 1}:${originalColumn + 1})`);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(500);
});

it('other positions stay as they are', () => {
  const stack = `Error: no
    at file:///nowhere/there.js:3:4
    at node:internal/process:5:6
    at f (${URL_OF_FILE}:999999:1)`;
  expect(withSourcePositions(stack)).toBe(stack);
});
