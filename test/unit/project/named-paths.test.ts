import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SETTING_NAMES } from '../../../src/load-settings.js';

/** Files that operators create, files of the page on adding a module, and an export. */
const ELSEWHERE = ['docker/.env', 'vendor_reporting.sql', 'payouts.test.ts', 'transactions.ndjson'];
const PATH =
  /(?<![\w./-])(?:\.\.?\/)*((?:src|test|docs|scripts|docker|deploy|openapi|assets|bench)\/[\w./-]*\w)/g;
const NAME =
  /(?<![\w./@*-])([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|cjs|ya?ml|cfg|sh|md|sql|ndjson|service))\b(?!\/)/g;
const COMMENT = /(?:\/\/|^\s*\*|\/\*\*|^\s*#).*$/gm;
const LINK = /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g;
const WRITTEN_ELSEWHERE = /^(?:openapi\/|package-lock\.json$|docs\/adding-a-module\.md$|LICENSE$)/;

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const names = new Set(files.map((file) => basename(file)));
const read = (file: string) => readFileSync(file, 'utf8');

/** Returns the prose of a file: all of a page, or the comments of any other file. */
function proseOf(file: string): string {
  const text = read(file);
  return file.endsWith('.md') ? text : [...text.matchAll(COMMENT)].map(([line]) => line).join('\n');
}

const first = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

it('every file that a page or a comment names exists', () => {
  const missing = files
    .filter((file) => existsSync(file) && !WRITTEN_ELSEWHERE.test(file))
    .flatMap((file) => {
      const prose = proseOf(file);
      const gone = [
        ...first(prose, PATH).filter((path) => !existsSync(path)),
        ...first(prose, NAME).filter((name) => !names.has(name)),
        ...(file.endsWith('.md')
          ? first(prose, LINK).filter((path) => !existsSync(join(dirname(file), path)))
          : []),
      ];
      return gone
        .filter((path) => !ELSEWHERE.some((one) => path.endsWith(one)))
        .map((path) => `${file}: ${path}`);
    });
  expect(missing).toEqual([]);
});

it('docs/configuration.md has exactly the existing settings in its tables', () => {
  const rows = first(read('docs/configuration.md'), /^\| (`[A-Z_`, ]+`) +\|/gm);
  const documented = rows.flatMap((row) => first(row, /`([A-Z_]+)`/g));
  expect(documented.sort()).toEqual([...SETTING_NAMES].sort());
});

it('the linter leaves out folders of the root alone, not those of the same name below src and test', () => {
  const [listed = ''] = first(read('.oxlintrc.json'), /"ignorePatterns": \[([^\]]+)\]/g);
  const patterns = first(listed, /"([^"]+)"/g);
  expect(patterns).toContain('/dist/');
  expect(patterns.filter((pattern) => !pattern.startsWith('/'))).toEqual([]);
});
