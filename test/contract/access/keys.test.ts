import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { user } from '../../support/builders/ledger-records.js';
import { within } from '../../support/processes/within.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const SECOND = 1_000;

let service: TestService;
let applications: ApiApplicationsService;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  applications = service.app.get(ApiApplicationsService);
});
afterAll(() => service.stop());

async function expectWorks(key: string): Promise<void> {
  expect((await service.get('/v3.0', key)).status).toBe(200);
}

async function expectRefused(key: string): Promise<void> {
  expectFailure(await service.get('/v3.0', key), 4011);
}

async function expectSoonRefused(key: string): Promise<void> {
  await within(2 * SECOND, () => expectRefused(key));
}

/**
 * Expects that a key works until its end and not after it, whenever this process gets to run.
 * @param from the earliest possible end, by `Date.now()`
 * @param to the latest possible end
 */
async function expectEnds(key: string, from: number, to: number): Promise<void> {
  let worked = 0;
  await until('the end of the key', async () => {
    const asked = Date.now();
    const { status } = await service.get('/v3.0', key);
    if (status === 401) return true;
    expect(status).toBe(200);
    expect(asked).toBeLessThan(to);
    worked += 1;
    return false;
  });
  expect(Date.now()).toBeGreaterThanOrEqual(from);
  expect(worked).toBeGreaterThan(0);
}

describe('the key of an API application', () => {
  it('stops working within 2 seconds of being revoked, and stays so', async () => {
    const { application, key } = await applications.createApplication(1, 'revoked', null);
    await expectWorks(key);
    await applications.revokeApplication(application.id);
    await expectSoonRefused(key);
    const since = performance.now();
    await until('another second', async () => {
      await expectRefused(key);
      return performance.now() > since + SECOND;
    });
  });

  it('works until its application expires', async () => {
    const endsAt = Math.floor(Date.now() / SECOND) * SECOND + 6 * SECOND;
    const expires = new Date(endsAt).toISOString().slice(0, 19).replace('T', ' ');
    const { key } = await applications.createApplication(1, 'expiring', expires);
    await expectEnds(key, endsAt, endsAt);
  });

  it('works beside the key of another application, whose end does not touch it', async () => {
    const staying = await applications.createApplication(1, 'staying', null);
    const leaving = await applications.createApplication(1, 'leaving', null);
    await applications.revokeApplication(leaving.application.id);
    await expectWorks(staying.key);
    await expectRefused(leaving.key);
  });

  it('is another one after a rotation; the old one ends at once without an overlap', async () => {
    const before = await applications.createApplication(1, 'rotated', null);
    const after = await service.app.get(ApiApplicationsService).rotateKey(before.application.id, 0);
    expect(after.key).not.toBe(before.key);
    await expectWorks(after.key);
    await expectSoonRefused(before.key);
    await expectWorks(after.key);
  });

  it('works beside the new one during the overlap of a rotation, and not after it', async () => {
    const before = await applications.createApplication(1, 'overlapping', null);
    const first = Math.floor(Date.now() / SECOND) * SECOND;
    const after = await service.app.get(ApiApplicationsService).rotateKey(before.application.id, 5);
    const last = Date.now();
    await expectWorks(after.key);
    await expectEnds(before.key, first + 5 * SECOND, last + 5 * SECOND);
    await expectWorks(after.key);
  });

  it('ends with its application, the old and the new one of an overlap', async () => {
    const before = await applications.createApplication(1, 'both', null);
    const after = await service.app
      .get(ApiApplicationsService)
      .rotateKey(before.application.id, 3_600);
    await applications.revokeApplication(before.application.id);
    await expectSoonRefused(before.key);
    await expectSoonRefused(after.key);
  });
});
