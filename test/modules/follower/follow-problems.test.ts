/** `follow` reports why it cannot continue, and leaves its file unchanged. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteConnection from 'better-sqlite3';
import { product, user } from '../../support/builders/ledger-records.js';
import type { Ended } from '../../support/processes/cli.js';
import { followOnce, type Followed } from '../../support/processes/follow.js';
import { readCopy } from '../../support/oracles/ledger-copy.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let key: string;
let files = 0;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(4), product(10, 1), product(20, 4)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function newFile(name: string): string {
  files += 1;
  return join(service.database.folder, `${files}-${name}`);
}

function followed(): Followed {
  return { url: `http://127.0.0.1:${service.port}`, key, folder: service.database.folder };
}

describe('a follower', () => {
  it.each([
    ['http://example.test', 'It must be https, except for this machine.'],
    ['ftp://127.0.0.1', 'It must be a URL'],
    ['https://a:b@example.test', 'It must have no user, query or fragment.'],
  ])('does not send its key to %s', async (url, problem) => {
    const { status, stderr } = await followOnce({ ...followed(), url }, newFile('no'));
    expect(status).not.toBe(0);
    expect(stderr).toContain(problem);
  });

  it('tells of a key that is wrong', async () => {
    const wrong = { ...followed(), key: 'vra_wrong' };
    const { status, stderr } = await followOnce(wrong, newFile('wrong.sqlite'));
    const problem = /^Cannot follow: the service answered 401/;
    expect([status, stderr]).toEqual([1, expect.stringMatching(problem)]);
  });

  it('refuses the copy of another ledger, of another service, and what is no copy', async () => {
    const file = newFile('mine.sqlite');
    await followOnce(followed(), file);
    const other = { ...followed(), key: await service.key(4) };
    expect((await followOnce(other, file)).stderr).toMatch(/another ledger/);
    const elsewhere = { ...followed(), url: `http://localhost:${service.port}` };
    expect((await followOnce(elsewhere, file)).stderr).toContain('the file is a copy from http');
    const text = newFile('text');
    writeFileSync(text, 'This is a text that is no database, and long enough to be read as one.');
    expect((await followOnce(followed(), text)).stderr).toMatch(/^Cannot follow: .*not a database/);
    const nowhere = await followOnce(followed(), `${newFile('no-folder')}/copy.sqlite`);
    expect(nowhere.stderr).toMatch(/^Cannot follow: .*directory does not exist\n$/);
    expect(readCopy(file, 'SELECT product_id FROM products')).toEqual([{ product_id: 10 }]);
  });

  it('leaves the database of somebody else as it is', async () => {
    const file = newFile('foreign.sqlite');
    new SqliteConnection(file).exec('CREATE TABLE sales (id INTEGER)').close();
    const before = readFileSync(file);
    expect((await followOnce(followed(), file)).status).toBe(1);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

interface StubAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('a service that', () => {
  let server: Server;
  afterEach(() => {
    server.close();
  });

  async function followStub(given: readonly StubAnswer[], file: string): Promise<Ended> {
    const answers = [...given];
    server = createServer((_, response) => {
      const { status, body, headers = {} } = answers.shift() ?? { status: 404, body: {} };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, headers).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return followOnce({ ...followed(), url: `http://127.0.0.1:${port}` }, file);
  }

  const PRODUCT = { product_id: 1, product_name: 'A' };
  const item = (sequence: number, kind = 'product', content: object = PRODUCT) => ({
    sequence,
    kind,
    changed_at: '2025-06-01T00:00:00+00:00',
    [kind]: content,
  });
  const page = (results: object[], cursor = '9') => ({
    status: 200,
    body: { meta: { cursor, has_more: false }, results },
  });

  it('is away for a while is asked again', async () => {
    const file = newFile('patient.sqlite');
    const { status, stderr } = await followStub(
      [
        { status: 503, body: 'away' },
        { status: 429, body: {}, headers: { 'Retry-After': '1' } },
        page([item(1), item(2, 'novelty', { id: 7 })]),
      ],
      file,
    );
    expect([status, stderr.split('\n')]).toEqual([
      0,
      [
        'the service answered 503; trying again in 1 s',
        'the service answered 429; trying again in 1 s',
        '2 changes; up to date at the cursor 9',
        '',
      ],
    ]);
    expect(readCopy(file, 'SELECT product_name FROM products')).toEqual([{ product_name: 'A' }]);
  });

  const amount = { transaction_id: 'A', amount: 1.5 };
  const restored = { meta: { status: { code: 4001, detail: 'after must be …' } } };
  it.each([
    ['is no such service', { status: 200, body: '<html>' }, 'no page of changes'],
    ['has no list', { status: 200, body: { meta: {} } }, 'no page of changes'],
    ['changes the order', page([item(2), item(1)]), 'out of their order'],
    ['repeats itself', page([item(2), item(2)]), 'out of their order'],
    ['goes back', page([item(5)], '4'), 'a cursor that goes back'],
    ['leaves out a key', page([item(1, 'product', { product_name: 'A' })]), 'without its key'],
    ['sends odd amounts', page([item(1, 'transaction', amount)]), 'no amount'],
    ['was restored from a backup', { status: 400, body: restored }, 'Begin with a new file.'],
  ])('%s is not followed', async (_, answer, problem) => {
    const { status, stderr } = await followStub([answer], newFile('stub.sqlite'));
    expect(status).toBe(1);
    expect(stderr).toContain(problem);
  });
});
