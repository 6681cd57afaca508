import { expect } from '@jest/globals';
import { expectFailure } from '../oracles/failure.js';
import { basic, type Answer } from './http.js';
import type { TestService } from '../servers/service.js';

const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];

export interface PathMethods {
  /** As the router tells it: `/v2.1/products/names`. */
  readonly operation: string;
  readonly path: string;
  readonly methods: readonly string[];
}

/** Every wrong method at every path of a table. */
export function wrongMethods(table: readonly PathMethods[]) {
  return table.flatMap(({ path, methods }) =>
    METHODS.filter((method) => !methods.includes(method)).map((method) => ({
      method,
      path,
      methods,
    })),
  );
}

/** The operations of a table as the router tells them: HEAD is no operation of its own. */
export function operationsIn(table: readonly PathMethods[]): string[] {
  const operations = table.flatMap(({ operation, methods }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${operation}`),
  );
  return [...new Set(operations)].sort();
}

/** Expects that a path refuses a method and tells in Allow which ones it takes. */
export async function expectWrongMethod(
  service: TestService,
  key: string,
  { method, path, methods }: { method: string; path: string; methods: readonly string[] },
): Promise<void> {
  const answer: Answer = await service.send({ method, path, headers: basic(key) });
  expectFailure(answer, 4050, path.slice('/v'.length, '/v2.1'.length));
  expect(answer.headers.allow?.split(', ').sort()).toEqual([...methods].sort());
}
