/** Services in one process, as tests start them, share nothing. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ModulesContainer } from '@nestjs/core';
import { TrackingBounds } from '../../src/ledger/sums/tracking-sums.js';
import { user } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';

let first: TestService;
let second: TestService;
beforeAll(async () => {
  first = await TestService.start();
  second = await TestService.start();
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

/**
 * Returns the objects that Nest holds for a service: providers, controllers and values, by name.
 */
function objectsOf({ app }: TestService): Map<object, string> {
  const found = new Map<object, string>();
  for (const { providers, controllers } of app.get(ModulesContainer).values()) {
    for (const { instance, name } of [...providers.values(), ...controllers.values()]) {
      const object: unknown = instance;
      if (typeof object === 'object' && object !== null) found.set(object, String(name));
    }
  }
  return found;
}

it('share no object', () => {
  const [ofFirst, ofSecond] = [objectsOf(first), objectsOf(second)];
  expect([...ofFirst.values()]).toContain('TrackingBounds');
  expect([...ofFirst].filter(([object]) => ofSecond.has(object))).toEqual([]);
});

it('share no bound', () => {
  const unset = second.app.get(TrackingBounds).values;
  first.app.get(TrackingBounds).values = unset + 1;
  expect(second.app.get(TrackingBounds).values).toBe(unset);
});

it('look up a key in their own database, whichever started last', async () => {
  for (const service of [first, second]) await service.import([user(1)]);
  const key = await first.key(1);
  expect((await first.get('/v3.0', key)).status).toBe(200);
  expect((await second.get('/v3.0', key)).status).toBe(401);
});
