import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { SETTING_NAMES } from '../../src/start/load-settings.js';

/** Files that operators create, files of the guides in docs/, and an export. */
const ELSEWHERE = ['docker/.env', 'vendor_reporting.sql', 'transactions.ndjson'];
const PATH =
  /(?<![\w./-])(?:\.\.?\/)*((?:src|test|docs|scripts|docker|deploy|openapi|assets|bench)\/[\w./-]*\w)/g;
const NAME =
  /(?<![\w./@*-])([\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|cjs|ya?ml|cfg|sh|md|sql|ndjson|service))\b(?!\/)/g;
/** A path below a folder that is not at the root, for example `money.ts` of `values/`. */
const PART = /(?<![\w./@:-])((?:[\w-]+\/)+[\w-]+(?:\.[\w-]+)*\.tsx?)\b/g;
const COMMENT = /(?:\/\/|^\s*\*|\/\*\*|^\s*#).*$/gm;
const LINK = /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g;
const ANCHOR_OF_LINK = /\]\((?!https?:)([^)#]*)#([^)]+)\)/g;
const ANCHOR_OF_COMMENT = /(?<![\w./-])(docs\/[\w./-]+\.md)#([\w-]+)/g;
const HEADING = /^#{1,6} (.+)$/gm;
const CODE_BLOCK = /^ *```[^]*?^ *```$/gm;
const END_OF_SENTENCE = /[.!?](?= +[A-Z`*[])/g;
const WRITTEN_ELSEWHERE =
  /^(?:openapi\/|kit\/extension\.|assets\/extension\/|package-lock\.json$|docs\/(?:adding-a-[\w-]+|extensions|extension-tests)\.md$|LICENSE$)/;

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
        ...first(prose, PART).filter(
          (path) => !files.some((one) => `/${one}`.endsWith(`/${path}`)),
        ),
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

/** Returns the anchors that a file names: the page, and the anchor in it. */
function anchorsIn(file: string): { readonly page: string; readonly anchor: string }[] {
  const isPage = file.endsWith('.md');
  const named = proseOf(file).matchAll(isPage ? ANCHOR_OF_LINK : ANCHOR_OF_COMMENT);
  return Array.from(named, ([, path = '', anchor = '']) => {
    const page = isPage && path === '' ? file : join(isPage ? dirname(file) : '', path);
    return { page, anchor };
  }).filter(({ page }) => page.endsWith('.md'));
}

/** Returns the anchors of a page as GitHub derives them from its headings. */
function anchorsOf(page: string): Set<string> {
  const headings = first(read(page).replace(CODE_BLOCK, ''), HEADING);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

it('every anchor that a link or a comment names is a heading of its page', () => {
  const missing = files
    .filter((file) => existsSync(file) && !file.startsWith('openapi/'))
    .flatMap((file) =>
      anchorsIn(file)
        .filter(({ page, anchor }) => existsSync(page) && !anchorsOf(page).has(anchor))
        .map(({ page, anchor }) => `${file}: ${page}#${anchor}`),
    );
  expect(missing).toEqual([]);
});

const pages = files.filter((file) => file.endsWith('.md') && existsSync(file));
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

it('no page has more than 2,500 words beside its code', () => {
  const long = pages.filter((page) => wordsOf(read(page).replace(CODE_BLOCK, '')) > 2_500);
  expect(long).toEqual([]);
});

it('no cell of a table has more than two sentences', () => {
  const long = pages.flatMap((page) =>
    first(read(page).replace(CODE_BLOCK, ''), /^\|(.*)\|$/gm)
      .flatMap((row) => row.split(/(?<!\\)\|/))
      .filter((cell) => [...cell.trim().matchAll(END_OF_SENTENCE)].length > 1)
      .map((cell) => `${page}: ${cell.trim()}`),
  );
  expect(long).toEqual([]);
});

it.each([
  ['docs/README.md', /^docs\/(?!adr\/|features\/)/],
  ['docs/features/README.md', /^docs\/features\//],
])('%s lists every page', (list, isOwn) => {
  const listed = new Set(first(read(list), LINK).map((path) => join(dirname(list), path)));
  const missing = pages.filter((page) => isOwn.test(page) && page !== list && !listed.has(page));
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
