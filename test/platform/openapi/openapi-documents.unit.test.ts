import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocument } from '../../support/oracles/open-api.js';
import { fileOfVersion, VERSIONS } from '../../support/oracles/operations.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Keys whose values are not schemas: a `properties` in them would be a field's name. */
const EXAMPLES = new Set(['example', 'examples']);

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** Yields every object and list in a document with its path, except those in examples. */
function* nodesIn(value: unknown, path = '#'): Generator<[path: string, node: Node]> {
  if (!isNode(value)) return;
  yield [path, value];
  for (const [key, held] of Object.entries(value)) {
    if (!EXAMPLES.has(key)) yield* nodesIn(held, `${path}/${key}`);
  }
}

/** Returns every property of every schema of answers and bodies, at any depth. */
function propertiesOf(document: ApiDocument): [path: string, property: Node][] {
  return [...nodesIn(document.json)].flatMap(([path, { type, properties }]) =>
    isNode(properties) && [type].flat().includes('object')
      ? Object.entries(properties).map(([name, property]): [string, Node] => [
          `${path}/${name}`,
          isNode(property) ? property : {},
        ])
      : [],
  );
}

function hasDescription({ description }: Node): boolean {
  return typeof description === 'string' && /^\S.*\.$/s.test(description);
}

describe.each(VERSIONS)('the document of %s', (version) => {
  const document = new ApiDocument(version);
  const properties = propertiesOf(document);

  it('says of every list what its items are, as generators of clients need it', () => {
    const lists = [...nodesIn(document.json)].filter(([, { type }]) => type === 'array');
    expect(lists).not.toEqual([]);
    expect(lists.filter(([, list]) => !isNode(list.items)).map(([path]) => path)).toEqual([]);
  });

  it('has properties of the envelope, of bodies and of what is nested', () => {
    const paths = properties.map(([path]) => path);
    expect(paths.length).toBeGreaterThan(80);
    expect(paths).toEqual(
      expect.arrayContaining([
        '#/components/schemas/outcome/detail',
        '#/components/schemas/DescribeVersionAnswer/results',
        ...(version === '3.0'
          ? ['#/components/schemas/transaction/properties/refund/refund_date']
          : []),
        ...(version === '2.1'
          ? ['#/components/schemas/AffiliationUpdateBodyForm/approval_status']
          : []),
      ]),
    );
  });

  it('describes every property in whole sentences', () => {
    const silent = properties.filter(([, property]) => !hasDescription(property));
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('shows an example of every property, whose form `npm test` lints', () => {
    const silent = properties.filter(
      ([, { examples }]) => !Array.isArray(examples) || examples.length === 0,
    );
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('describes every parameter and every header, with an example', () => {
    const all = [...nodesIn(document.json)].filter(
      ([path, node]) =>
        /\/parameters\/[^/]+$|\/headers\/[^/]+$/.test(path) && node.$ref === undefined,
    );
    expect(all.length).toBeGreaterThan(10);
    const silent = all.filter(([, node]) => !hasDescription(node) || node.example === undefined);
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('forbids no field: one that is added later must not break a strict client', () => {
    const closed = [...nodesIn(document.json)].filter(
      ([, node]) =>
        node.additionalProperties !== undefined || node.unevaluatedProperties !== undefined,
    );
    expect(closed.map(([path]) => path)).toEqual([]);
  });
});

describe('npx openapi-typescript, in the folder of redocly.yaml', () => {
  const TOOL = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-types-'));
    cpSync(join(ROOT, 'redocly.yaml'), join(folder, 'redocly.yaml'));
    for (const version of VERSIONS) {
      const file = `openapi/${fileOfVersion(version)}.json`;
      cpSync(join(ROOT, file), join(folder, file));
    }
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function run(...args: readonly string[]) {
    return spawnSync(process.execPath, [TOOL, ...args], { cwd: folder, encoding: 'utf8' });
  }

  it('writes the types that are committed, to the byte', () => {
    const { status, stderr } = run();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const files = readdirSync(join(folder, 'openapi')).filter((name) => name.endsWith('.d.ts'));
    expect(files).toHaveLength(VERSIONS.length);
    for (const name of files) {
      const written = readFileSync(join(folder, 'openapi', name), 'utf8');
      expect(written).toBe(readFileSync(join(ROOT, 'openapi', name), 'utf8'));
    }
  });

  it('writes elsewhere what it is told to, as docs/api.md says', () => {
    const { status } = run('openapi/v3.0.json', '-o', 'mine.d.ts', '-c', '/dev/null');
    expect(status).toBe(0);
    expect(existsSync(join(folder, 'mine.d.ts'))).toBe(true);
  });
});
