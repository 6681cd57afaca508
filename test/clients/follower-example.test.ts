/** The followers of docs/changes.md, run exactly as the page shows them. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../support/builders/ledger-records.js';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { itRuns } from '../support/http/client-programs.js';
import { readCopy } from '../support/oracles/ledger-copy.js';
import { ended } from '../support/processes/cli.js';
import { TestService } from '../support/servers/service.js';

const PAGE = readFileSync('docs/changes.md', 'utf8');
/**
 * `node` reads a program from standard input as `python3` does, and finds the packages of this
 * folder.
 */
const COMMANDS = {
  mjs: [process.execPath, '--input-type=module', '-'],
  py: ['python3', '-'],
} as const;
type Language = keyof typeof COMMANDS;
const LANGUAGES = ['mjs', 'py'] as const;
const SALES = 1_200;
const SUMS = 'SELECT COUNT(*) AS sales, SUM(amount_cents) AS cents FROM transactions';
/**
 * A new name of an affiliate does not change a transaction, so the stored objects keep their
 * original names.
 */
const SHOWN = 'SELECT * FROM transactions ORDER BY transaction_id';
const STORED = `SELECT kind, key, json FROM things WHERE kind <> 'transaction' OR key = 'one-more'
  ORDER BY kind, key`;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2, { display_name: 'First' }),
    product(10, 1),
    affiliation(2, 10),
    recurringPayment('PRE/1', 10),
    ...Array.from({ length: SALES }, (_, index) =>
      transaction(`sale-${index}`, 10, { amount: '0.29', affiliate_id: 2 }),
    ),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function exampleIn(language: Language): string {
  const [, code] =
    new RegExp(`<!-- follower in ${language} -->\\s+\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(PAGE) ??
    [];
  if (code === undefined) throw new Error(`the page has no follower in ${language}`);
  return code;
}

function copyIn(language: Language): string {
  return join(service.database.folder, `example-${language}.sqlite`);
}

/**
 * Starts a follower until the copy is up to date.
 * @param environment the variables that differ from the page
 */
function follow(
  language: Language,
  copy: string,
  environment: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const [program, ...args] = COMMANDS[language];
  const API_URL = `http://127.0.0.1:${service.port}`;
  const child = spawn(program, args, {
    env: { ...process.env, API_URL, API_KEY: key, COPY: copy, ONCE: 'yes', ...environment },
  });
  child.stdin.end(exampleIn(language));
  return child;
}

/**
 * Returns a server that answers 503 to the first request of each follower, and forwards all others.
 */
function unsteadyServer(): Server {
  const known = new Set<string | undefined>();
  return createServer(({ url = '', headers }, response) => {
    const follower = headers['user-agent'];
    if (!known.has(follower)) {
      known.add(follower);
      response.writeHead(503, { 'Retry-After': '1' }).end('not now');
      return;
    }
    const { authorization = '' } = headers;
    void service.send({ path: url, headers: { authorization } }).then(({ status, text }) => {
      response.writeHead(status).end(text);
    });
  });
}

describe.each(LANGUAGES)('the follower in %s that anybody can copy', (language) => {
  const itFollows = itRuns(`.${language}`);

  it('has 60 lines of code at most', () => {
    const lines = exampleIn(language).trim().split(/\n+/);
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.length).toBeLessThanOrEqual(60);
  });

  itFollows('copies a ledger and goes on', async () => {
    const copy = copyIn(language);
    const quiet = { status: 0, stdout: '', stderr: '' };
    const moved = `MOVED/${language}`;
    await service.import([recurringPayment(moved, 10, { id: language.length })]);
    expect(await ended(follow(language, copy))).toEqual(quiet);
    expect(readCopy(copy, SUMS)).toEqual([{ sales: SALES, cents: SALES * 29 }]);
    const ofMoved = `SELECT key FROM things WHERE key = '${moved}'`;
    expect(readCopy(copy, ofMoved)).toHaveLength(1);
    await service.import([
      user(9),
      product(90, 9),
      recurringPayment(moved, 90, { id: language.length }),
      user(2, { display_name: `Renamed “${language}”` }),
      transaction(`sale-${language.length}`, 10, {
        amount: '0.29',
        affiliate_id: 2,
        status: 'refunded',
        refund: refund('2025-07-01T00:00:00Z'),
      }),
    ]);
    expect(await ended(follow(language, copy))).toEqual(quiet);
    const changed = `SELECT status, affiliate FROM transactions WHERE transaction_id = 'sale-${language.length}'`;
    expect(readCopy(copy, ofMoved)).toEqual([]);
    expect(readCopy(copy, changed)).toEqual([
      { status: 'refunded', affiliate: `Renamed “${language}”` },
    ]);
    expect(readCopy(copy, SUMS)).toEqual([{ sales: SALES, cents: SALES * 29 }]);
  });

  itFollows('ends with the reason if the service rejects the request', async () => {
    const copy = join(service.database.folder, `rejected-${language}.sqlite`);
    const { status, stderr } = await ended(follow(language, copy, { API_KEY: 'no-key' }));
    expect(status).toBe(1);
    expect(stderr).toContain('4011');
  });
});

itRuns('.py')(
  'each follower waits for the service, and goes on with the file of the other',
  async () => {
    await service.import([transaction('one-more', 10)]);
    const port = await freePort();
    const others = { mjs: 'py', py: 'mjs' } as const;
    const children = LANGUAGES.map((language) =>
      follow(language, copyIn(others[language]), { API_URL: `http://127.0.0.1:${port}` }),
    );
    const runs = Promise.all(children.map(ended));
    const server = unsteadyServer();
    try {
      await Promise.all(children.map(({ stderr }) => once(stderr, 'data')));
      server.listen(port, '127.0.0.1');
      for (const { status, stderr } of await runs) {
        expect([status, stderr]).toEqual([0, expect.stringMatching(/fetch failed|refused/)]);
        expect(stderr).toContain('not now');
      }
    } finally {
      server.close();
    }
    const [left, right] = LANGUAGES.map((language) =>
      [SHOWN, STORED].map((sql) => readCopy(copyIn(language), sql)),
    );
    expect(left?.map((rows) => rows.length)).toEqual([SALES + 1, 5]);
    expect(right).toEqual(left);
  },
);
