import { expect } from '@jest/globals';
import { expectFailure } from '../oracles/failure.js';
import { basic, type Answer } from './http.js';
import type { TestService } from '../servers/service.js';

const METHODS = ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];

export interface PathMethods {
  /** Path of the operation in the router's list, such as `/v2.1/products/names`. */
  readonly operation: string;
  readonly path: string;
  readonly methods: readonly string[];
}

/** Returns every wrong method for every path of a table. */
export function wrongMethods(table: readonly PathMethods[]) {
  return table.flatMap(({ path, methods }) =>
    METHODS.filter((method) => !methods.includes(method)).map((method) => ({
      method,
      path,
      methods,
    })),
  );
}

/** Returns the operations of a table as the router lists them. HEAD is not a separate operation. */
export function operationsIn(table: readonly PathMethods[]): string[] {
  const operations = table.flatMap(({ operation, methods }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${operation}`),
  );
  return [...new Set(operations)].sort();
}

/** Expects that a path rejects a method and lists the allowed ones in Allow. */
export async function expectWrongMethod(
  service: TestService,
  key: string,
  { method, path, methods }: { method: string; path: string; methods: readonly string[] },
): Promise<void> {
  const answer: Answer = await service.send({ method, path, headers: basic(key) });
  expectFailure(answer, 4050, path.slice('/v'.length, '/v2.1'.length));
  expect(answer.headers.allow?.split(', ').sort()).toEqual([...methods].sort());
}
