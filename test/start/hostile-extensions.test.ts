/** Each failure of an extension at the start is one line that names it and its part. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Injectable, type Type } from '@nestjs/common';
import type { Pages } from '../../src/platform/pages/page-router.js';
import { Feature, type FeatureMetadata } from '../../src/feature.js';
import { extensionOf } from '../support/servers/extension.js';
import { TestService } from '../support/servers/service.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const UNREADABLE = Object.defineProperty(new Error('no\nagain'), 'stack', {
  get() {
    throw new Error('never');
  },
});
const THROWN: readonly (readonly [string, unknown, string])[] = [
  ['an error', new Error('boom'), 'Error: boom'],
  ['a frozen error without a stack', Object.freeze(UNREADABLE), 'Error: no again'],
  ['null', null, 'null'],
  ['an object', Object.create(null), 'an error that cannot be read'],
];

async function problemOf(metadata: FeatureMetadata, page?: Type<Pages>): Promise<unknown> {
  @Feature(metadata)
  class TestsModule {}
  const of = (load: Type<Pages>) => ({
    pages: {
      tests: { path: '/account/tests', permission: null, load: () => Promise.resolve(load) },
    },
  });
  const extension = extensionOf(TestsModule, page === undefined ? {} : of(page));
  const error: unknown = await service
    .beside({}, [extension])
    .then((started) => started.stop())
    .catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : error;
}

it.each(THROWN)('%s of a constructor', async (_, thrown, text) => {
  @Injectable()
  class Failing {
    constructor() {
      throw thrown;
    }
  }
  expect(await problemOf({ providers: [Failing] })).toBe(
    `Extension tests: the constructor of Failing failed: ${text}.`,
  );
});

it('a factory, a check and a page', async () => {
  const thrown: unknown = null;
  const text = 'null';
  const fail = () => {
    throw thrown;
  };
  const factory = { provide: 'FAILING', useFactory: fail };
  expect(await problemOf({ providers: [factory] })).toBe(
    `Extension tests: the factory of FAILING failed: ${text}.`,
  );
  @Injectable()
  class FailingCheck {
    check(): Promise<void> {
      return Promise.resolve().then(fail);
    }
  }
  expect(await problemOf({ checks: [FailingCheck] })).toBe(
    `Extension tests: the check FailingCheck failed: ${text}.`,
  );
  @Injectable()
  class FailingPage {
    addTo(): void {
      fail();
    }
  }
  expect(await problemOf({}, FailingPage)).toBe(
    `Extension tests: adding the page /account/tests failed: ${text}.`,
  );
});
