/**
 * Clients that poll while others write: no answer contradicts its own content, its tag or an
 * earlier answer.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { runCli } from '../../support/processes/cli.js';
import { envelopeOf } from '../../support/http/http.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';
import { bytesOf } from '../../support/builders/test-ledger.js';

const [VENDOR, AFFILIATE] = [1, 2];
const IMPORTS = 60;
/** Number of imports that run as a command in a process of its own. */
const BY_COMMAND = 20;
const READERS = 4;

/**
 * Each range fits on a page of 200 until the end. The last one also has refunds of earlier sales.
 */
const PATHS = [
  'start_date=2025-06-01&end_date=2025-06-30&page_size=200',
  'start_date=2025-06-10&end_date=2025-06-10&page_size=200',
  'start_date=2025-07-01&end_date=2025-07-31&page_size=200',
].map((query) => `/v3.0/transactions?${query}`);

/** Returns the records of one import: a new sale, a refunded sale, and sometimes a new name. */
function importOf(number: number): object[] {
  const sale = (at: number, changes = {}) =>
    transaction(`sale-${at}`, 10, {
      sale_date: `2025-06-${at % 2 === 0 ? 10 : 20}T08:00:00Z`,
      affiliate_id: AFFILIATE,
      ...changes,
    });
  return [
    sale(number),
    ...(number % 3 === 0
      ? [sale(number - 1, { status: 'refunded', refund: refund('2025-07-05T00:00:00Z') })]
      : []),
    ...(number % 5 === 0 ? [user(AFFILIATE, { display_name: `Name ${number}` })] : []),
  ];
}

/** A client checks its own answers, and the answers of every client with the same tag. */
class Reader {
  private readonly counts = new Map<string, number>();
  private readonly held = new Map<string, { readonly tag: string; readonly text: string }>();
  answers = { whole: 0, notModified: 0 };

  constructor(
    private readonly service: TestService,
    private readonly key: string,
    private readonly seen: Map<string, string>,
    private readonly isConditional: boolean,
  ) {}

  async poll(path: string, newest: number): Promise<void> {
    const held = this.held.get(path);
    const headers: Record<string, string> =
      this.isConditional && held !== undefined ? { 'If-None-Match': held.tag } : {};
    const answer = await this.service.get(path, this.key, headers);
    if (answer.status === 304) {
      this.answers.notModified += 1;
      expect(answer.headers.etag).toBe(held?.tag);
    } else {
      expect(answer.status).toBe(200);
      this.answers.whole += 1;
      this.held.set(path, { tag: String(answer.headers.etag), text: answer.text });
    }
    this.check(path, newest);
  }

  /** Checks the content that the client holds now, from this answer or an earlier one. */
  private check(path: string, newest: number): void {
    const { tag = '', text = '' } = this.held.get(path) ?? {};
    const first = this.seen.get(tag) ?? text;
    this.seen.set(tag, first);
    if (first !== text) expect({ tag, text }).toEqual({ tag, text: first });
    const { meta, results } = envelopeOf({ status: 200, headers: {}, text, body: Buffer.of() });
    expect(meta.total_count).toBe(results.length);
    const count = results.length;
    // The writer only adds records, so a smaller count would be an older state of the ledger.
    expect(count).toBeGreaterThanOrEqual(this.counts.get(path) ?? 0);
    this.counts.set(path, count);
    // The first path shows every sale, so it includes all sales that were committed before the
    // request.
    if (path === PATHS[0]) expect(count).toBeGreaterThanOrEqual(newest);
  }
}

describe.each(['64', '0'])('with PAGE_CACHE_MB=%s', (PAGE_CACHE_MB) => {
  let service: TestService;
  let other: TestService;
  let key: string;
  beforeAll(async () => {
    service = await TestService.start({ PAGE_CACHE_MB });
    other = await service.beside({ PAGE_CACHE_MB });
    await service.import([user(VENDOR), user(AFFILIATE), product(10, VENDOR)]);
    key = await service.key(VENDOR);
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  it('every answer shows one state, identified by its tag, and is no older than the last', async () => {
    let committed = 0;
    let isDone = false;
    const seen = new Map<string, string>();
    const readers = Array.from(
      { length: READERS },
      (_, index) => new Reader(index % 2 === 0 ? service : other, key, seen, index < 2),
    );
    const read = async (reader: Reader, from: number) => {
      for (let at = from; !isDone; at += 1) {
        await reader.poll(PATHS[at % PATHS.length] ?? '', committed);
      }
    };
    const write = async () => {
      for (let number = 1; number <= IMPORTS; number += 1) {
        const records = importOf(number);
        if (number % BY_COMMAND !== 0) await service.import(records);
        else {
          const input = bytesOf(records);
          const { status } = await runCli(service.database.url, ['import', '-'], { input });
          expect(status).toBe(0);
        }
        committed = number;
        // An import on SQLite hardly ever waits; this allows requests in between.
        await new Promise(setImmediate);
      }
    };
    const writing = write().finally(() => {
      isDone = true;
    });
    await Promise.all([writing, ...readers.map(read)]);
    for (const path of PATHS) for (const reader of readers) await reader.poll(path, committed);
    const sum = (of: 'whole' | 'notModified') =>
      readers.reduce((total, { answers }) => total + answers[of], 0);
    process.stdout.write(
      `${dialect}, PAGE_CACHE_MB=${PAGE_CACHE_MB}: ${sum('whole')} answers and ` +
        `${sum('notModified')} times 304 beside ${IMPORTS} imports, ${seen.size} tags\n`,
    );
    expect(sum('notModified')).toBeGreaterThan(0);
    expect(seen.size).toBeGreaterThan(PATHS.length);
  });

  it('leaves nothing derived that differs from the ledger', async () => {
    expect(await service.app.get(VerificationService).differences()).toEqual([]);
    const { status, stdout } = await runCli(service.database.url, ['verify']);
    expect({ status, stdout }).toMatchObject({ status: 0 });
  });
});
