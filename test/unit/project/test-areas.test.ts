import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { AREAS, contractTestsFor, EVERYWHERE } from '../../../scripts/test-areas.mjs';

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}${name}/`);

describe('the tests that npm run test:quick selects', () => {
  it('exist', () => {
    const named = [...EVERYWHERE, ...Object.values(AREAS).flat()];
    const missing = named.filter((name) => !existsSync(`test/contract/${name}.test.ts`));
    expect(missing).toEqual([]);
  });

  it('are selected for every source folder except added modules, and for no other', () => {
    const rooms = folders('src/').filter((path) => path !== 'src/modules/');
    const extensions = readFileSync('src/extensions.ts', 'utf8');
    const isOwn = (path: string) => !extensions.includes(path.replace(/^src\//, './'));
    const areas = Object.keys(AREAS).filter((area) => area.startsWith('src/'));
    expect([...rooms, ...folders('src/modules/').filter(isOwn)].sort()).toEqual(areas.sort());
  });

  it('are those of the changed files, and changed tests', () => {
    const tests = contractTestsFor([
      'src/modules/products/products.service.ts',
      'test/contract/access/keys.test.ts',
      'test/contract/keys.ts',
      'README.md',
    ]);
    expect(tests).toEqual([
      ...EVERYWHERE.map((name) => `test/contract/${name}.test.ts`),
      'test/contract/v2.1/product-names.test.ts',
      'test/contract/access/keys.test.ts',
    ]);
  });
});
