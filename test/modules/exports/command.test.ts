/** `export` writes the files of docs/exports.md without HTTP. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import type { Ended } from '../../support/processes/cli.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let ledger: TestLedger;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    product(10, 1),
    ...Array.from({ length: 12 }, (_, month) =>
      transaction(`sale-${month}`, 10, {
        sale_date: `2025-${String(month + 1).padStart(2, '0')}-01T00:00:00Z`,
      }),
    ),
  ]);
  key = await service.key(1);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function exportTo(file: string, ...more: string[]): Promise<Ended> {
  return ledger.cli(['export', file, '--vendor', '1', ...more]);
}

function fileNamed(name: string): string {
  return join(service.database.folder, name);
}

describe('export', () => {
  it.each(['ndjson', 'csv', 'parquet'])(
    'writes what the operation gives, as %s',
    async (format) => {
      const file = fileNamed(`all.${format}`);
      const { status, stdout } = await exportTo(file, '--format', format);
      const { body, headers } = await service.get(`/ledger/v1/transactions.${format}`, key);
      expect(status).toBe(0);
      expect(readFileSync(file).equals(body)).toBe(true);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const cursor = String(headers['x-ledger-cursor']);
      expect(stdout).toBe(`12 transactions; the changes go on after the cursor ${cursor}.\n`);
      expect(readdirSync(service.database.folder)).not.toContain(`all.${format}.part`);
    },
  );

  it('writes to standard output, and tells of it elsewhere', async () => {
    const days = ['--from', '2025-03-01', '--to', '2025-04-30'];
    const { status, stdout, stderr } = await exportTo('-', ...days, '--json');
    const range = '?start_date=2025-03-01&end_date=2025-04-30';
    const { text, headers } = await service.get(`/ledger/v1/transactions.ndjson${range}`, key);
    expect([status, stdout]).toEqual([0, text]);
    expect(JSON.parse(stderr)).toEqual({
      file: '-',
      count: 2,
      cursor: headers['x-ledger-cursor'],
    });
  });

  it.each([
    [['--from', '2025-03-01'], '--from and --to belong together'],
    [['--from', '2025-03-02', '--to', '2025-03-01'], '--to is not before --from'],
    [['--from', '2025-02-30', '--to', '2025-03-01'], 'It must be a date: YYYY-MM-DD.'],
    [['--format', 'xlsx'], 'Allowed choices are ndjson, csv, parquet.'],
  ])('refuses %j', async (more, problem) => {
    const { status, stderr } = await exportTo(fileNamed('refused'), ...more);
    expect(status).not.toBe(0);
    expect(stderr).toContain(problem);
    expect(existsSync(fileNamed('refused'))).toBe(false);
  });

  it('knows no vendor who is not there', async () => {
    const file = fileNamed('nobody');
    const { status, stderr } = await ledger.cli(['export', file, '--vendor', '7']);
    expect([status, stderr, existsSync(file)]).toEqual([1, 'There is no user 7.\n', false]);
  });

  it('leaves no file where it cannot finish', async () => {
    const [folder, file] = [fileNamed('missing/all'), fileNamed('broken')];
    expect((await exportTo(folder)).stderr).toContain('missing/all.part');
    await ledger.run('UPDATE sale_counts SET sales = sales + 1');
    const { status, stderr } = await exportTo(file);
    await ledger.run('UPDATE sale_counts SET sales = sales - 1');
    expect(status).not.toBe(0);
    expect(stderr).toContain('run verify');
    expect(
      readdirSync(service.database.folder).filter((name) => name.startsWith('broken')),
    ).toEqual([]);
  });
});
