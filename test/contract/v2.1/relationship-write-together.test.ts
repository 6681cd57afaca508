import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../../support/processes/cli.js';
import { envelopeOf } from '../../support/http/http.js';
import {
  AFFILIATE,
  PRODUCT,
  relationshipPath,
  Relationships,
  STRANGER,
  VENDOR,
} from '../../support/builders/relationships.js';

const WRITERS = 24;
const ROUNDS = 4;
const STATUSES = ['INSTANT', 'DELAYED', 'DENIED'];
let relationships: Relationships;
/** Keys of different applications, in the order in which these were created. */
let keys: readonly string[];
let applications: readonly number[];

interface Entry {
  readonly id: number;
  readonly created: string;
  readonly user_id: number;
  readonly application_id: number;
  readonly action: string;
  readonly subject: string;
  readonly before: object | null;
  readonly after: object;
}

beforeAll(async () => {
  // On a slow machine, a writer could wait too long for a connection that others use.
  relationships = await Relationships.start({ DATABASE_CONNECTIONS: String(WRITERS) });
  const made: string[] = [];
  for (let which = 0; which < WRITERS; which += 1) {
    made.push(await relationships.service.key(VENDOR));
  }
  keys = made;
  const rows = await relationships.rows('SELECT id FROM api_applications ORDER BY id');
  applications = rows.slice(-WRITERS).map(({ id }) => Number(id));
});
afterAll(() => relationships.stop());
beforeEach(async () => {
  await relationships.restore();
  await relationships.run(`DELETE FROM affiliations WHERE affiliate_id = ${STRANGER}`);
  await relationships.run('DELETE FROM audit_log');
});

const valuesOf = (writer: number) => ({
  approval_status: STATUSES[writer % STATUSES.length],
  custom_commission: writer,
  custom_payment_1st_payout: 1_000 + writer,
});

/**
 * Runs all writers at once, each with values of its own.
 * @returns the answer to each
 */
async function writeTogether(path: string) {
  const answers = await Promise.all(
    keys.map((key, writer) => relationships.service.put(path, key, valuesOf(writer))),
  );
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
  return answers.map((answer) => envelopeOf(answer).results[0]);
}

async function audited(...args: string[]): Promise<Entry[]> {
  const { status, stdout, stderr } = await runCli(relationships.service.database.url, [
    'audit',
    ...args,
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry);
}

describe.each([
  ['that is there', AFFILIATE],
  ['that is not there yet', STRANGER],
])('Writers at once of a relationship %s', (_, affiliate) => {
  const path = relationshipPath(affiliate);

  it('all succeed, with their own values each, and leave one relationship', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await relationships.run(`DELETE FROM affiliations WHERE affiliate_id = ${STRANGER}`);
      const results = await writeTogether(path);
      for (const [writer, result] of results.entries()) {
        const { custom_commission, custom_payment_1st_payout } = valuesOf(writer);
        expect(result).toMatchObject({ custom_commission, custom_payment_1st_payout });
      }
      const where = `affiliate_id = ${affiliate} AND product_id = ${PRODUCT}`;
      const found = `SELECT COUNT(*) AS found FROM affiliations WHERE ${where}`;
      expect(await relationships.rows(found)).toEqual([{ found: 1 }]);
      expect(results).toContainEqual(await relationships.read(path));
    }
  });

  it('are in the audit log once each, in the order in which they took effect', async () => {
    const stored = await relationships.read(path);
    await writeTogether(path);
    const entries = await audited();
    expect(entries.map(({ application_id }) => application_id).sort((a, b) => a - b)).toEqual(
      applications,
    );
    for (const [at, { before, after, application_id, ...entry }] of entries.entries()) {
      const writer = applications.indexOf(application_id);
      const { custom_commission, custom_payment_1st_payout } = valuesOf(writer);
      expect(after).toMatchObject({ custom_commission, custom_payment_1st_payout });
      expect(entry).toMatchObject({
        user_id: VENDOR,
        action: 'affiliation.set',
        subject: `affiliate ${affiliate}, product ${PRODUCT}`,
      });
      if (at > 0) expect(before).toEqual(entries[at - 1]?.after);
    }
    if (stored === null) expect(entries[0]?.before).toBeNull();
    else expect(entries[0]?.before).toMatchObject({ status: 'REQUESTED', custom_commission: 30 });
    const { status, custom_commission } = (await relationships.read(path)) ?? {};
    expect(entries.at(-1)?.after).toMatchObject({ status, custom_commission });
  });
});

describe('The audit log', () => {
  it('shows the last changes, oldest first, as many as are asked for', async () => {
    for (const custom_commission of [1, 2, 3]) {
      await relationships.put({ approval_status: 'INSTANT', custom_commission });
    }
    const all = await audited();
    expect(all.map(({ after }) => after)).toMatchObject(
      [1, 2, 3].map((custom_commission) => ({ custom_commission })),
    );
    expect(await audited('--last', '2')).toEqual(all.slice(1));
    for (const { created } of all)
      expect(created).toMatch(/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}/);
  });

  it('has every field of the relationship, before and after', async () => {
    await relationships.put({ approval_status: 'DENIED', custom_commission: null });
    const before = {
      affiliate_id: AFFILIATE,
      product_id: PRODUCT,
      created: expect.any(String),
      status: 'REQUESTED',
      comments: 'Please.',
      custom_commission: 30,
      delayed_commission: true,
      custom_sales_page_url: 'https://sales.example/a',
      custom_payment_1st_payout: 11,
      custom_payment_trial_payout: 12,
    };
    const after = {
      ...before,
      status: 'DENIED',
      custom_commission: null,
      delayed_commission: false,
    };
    expect(await audited()).toMatchObject([{ before, after }]);
  });

  it('has a change once that was sent twice', async () => {
    const change = { approval_status: 'DELAYED', custom_commission: 12 };
    const first = await relationships.put(change);
    const second = await relationships.put(change);
    expect(envelopeOf(second)).toEqual(envelopeOf(first));
    expect(await audited()).toMatchObject([{ after: { custom_commission: 12 } }]);
  });

  it('holds neither what was refused nor what was imported', async () => {
    await relationships.put({ approval_status: 'INSTANT', custom_commission: 101 });
    await relationships.put({
      approval_status: 'INSTANT',
      affiliate_verification_email: 'a@b.test',
    });
    await relationships.restore();
    expect(await audited()).toEqual([]);
  });
});
