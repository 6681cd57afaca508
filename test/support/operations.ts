import { resultOf } from './results.js';
import type { TestService } from './service.js';

export interface Operation {
  readonly method: string;
  readonly path: string;
}

export const VERSIONS = ['3.0', '2.1', '2.0'] as const;

/** Every operation of a version that the router says it has: `GET /v2.1/products/names`. */
export async function operationsOf(
  service: TestService,
  version: string,
  key: string,
): Promise<string[]> {
  const { operations } = await resultOf(service, `/v${version}`, key);
  return (operations as Operation[]).map(({ method, path }) => `${method} ${path}`).sort();
}
