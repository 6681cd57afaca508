import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { AREAS, contractTestsFor, EVERYWHERE, fileOf, MOST } from '../../scripts/test-areas.mjs';

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}${name}/`);

describe('the tests that npm run test:quick selects', () => {
  it('exist', () => {
    const named = [...EVERYWHERE, ...Object.values(AREAS).flat()];
    const missing = named.filter((name) => !existsSync(fileOf(name)));
    expect(missing).toEqual([]);
  });

  it('are selected for every source folder, and for no other', () => {
    const layers = ['src/api/', 'src/ledger/', 'src/platform/', 'src/modules/'];
    const rooms = folders('src/').filter((path) => !layers.includes(path));
    const areas = Object.keys(AREAS).filter((area) => area.startsWith('src/'));
    expect([...rooms, ...layers.flatMap(folders)].sort()).toEqual(areas.sort());
  });

  it('are those of the changed files, and changed tests', () => {
    const tests = contractTestsFor([
      'src/modules/products/products.service.ts',
      'test/contract/access/keys.test.ts',
      'test/contract/keys.ts',
      'README.md',
    ]);
    expect(tests).toEqual([
      ...EVERYWHERE.map(fileOf),
      'test/contract/v2.1/product-names.test.ts',
      'test/contract/access/keys.test.ts',
    ]);
  });

  it('are a part of those of each area if they are too many, and start few processes', () => {
    const tests = contractTestsFor(Object.keys(AREAS));
    const firsts = Object.values(AREAS).flatMap((names) => names.slice(0, 1));
    const selectable = [...EVERYWHERE, ...firsts].map(fileOf);
    expect(tests).toHaveLength(MOST);
    expect(new Set(tests).size).toBe(MOST);
    expect(selectable).toEqual(expect.arrayContaining(tests));
    expect(tests).not.toContain('test/contract/operations/management.test.ts');
  });

  it('are taken from the areas in turns', () => {
    const areas = ['src/modules/transactions/', 'src/modules/affiliates/', 'src/modules/accounts/'];
    const lengths = areas.map((area) => AREAS[area]?.length ?? 0);
    const tests = contractTestsFor(areas);
    expect(EVERYWHERE.length + lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(
      MOST,
    );
    for (const area of areas) {
      expect(tests).toContain(fileOf(AREAS[area]?.[1] ?? ''));
    }
  });
});
