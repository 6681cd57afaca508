/** The doctor finds what a start, or the first use of a part, would find. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ended, startCli } from '../support/processes/cli.js';
import { createTestDatabase, type TestDatabase } from '../support/sql/test-database.js';

const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-doctor-test-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const MIGRATION = `class NotesTables1795000000000 {
  name = 'NotesTables1795000000000';
  async up(runner) {
    await runner.query('CREATE TABLE notes (vendor_id BIGINT NOT NULL PRIMARY KEY)');
  }
  async down() {}
}`;
const ENTITY = `entityOf({
  name: 'Note',
  tableName: 'notes',
  columns: { vendor_id: key(wholeNumber()), text: text() },
})`;

/** Writes an extension, and returns its folder. */
function written(name: string, code: string, metadata: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(
    join(path, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' }),
  );
  writeFileSync(
    join(path, 'index.js'),
    `import { entityOf, Feature, Injectable, key, text, wholeNumber } from 'vendor-reporting-api/extension';
${code}
class ExtensionModule {}
Feature(${metadata})(ExtensionModule);
export default { name: '${name}', compatibility: '*', module: async () => ExtensionModule };
`,
  );
  return path;
}

it('a service that no module has, a column that no migration adds, and a pending migration', async () => {
  const needing = `class Missing {}
class Needing {}
Injectable()(Needing);
Reflect.defineMetadata('design:paramtypes', [Missing], Needing);`;
  const extensions = [
    written('sound', '', '{}'),
    written('needing', needing, '{ providers: [Needing] }'),
    written(
      'notes',
      MIGRATION,
      `{ entities: [${ENTITY}], migrations: [NotesTables1795000000000] }`,
    ),
  ];
  const { status, stdout, stderr } = await ended(
    startCli(database.url, ['extension', 'doctor'], {
      env: { EXTENSIONS: extensions.join(',') },
    }),
  );
  expect([status, stderr]).toEqual([1, '']);
  const [first, second, ...others] = stdout.trimEnd().split('\n');
  expect(first).toBe('Extension sound: no problem found.');
  expect(second).toMatch(/^Extension needing: .*\bNeeding\b.*\bMissing\b/);
  expect(others).toEqual([
    'Extension notes: table notes: it has no column text. A migration must add it.',
    'Extension notes: the migration NotesTables1795000000000 is pending; run "npm run cli -- migrate".',
  ]);
});
