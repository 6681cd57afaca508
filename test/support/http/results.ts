import { expect } from '@jest/globals';
import { expectCommonHeaders } from '../oracles/failure.js';
import { envelopeOf, type Answer, type EnvelopeBody } from './http.js';
import type { TestService } from '../servers/service.js';

type Results = EnvelopeBody['results'];

/**
 * Expects a successful response: status, headers, and an envelope with no other fields.
 * @returns the results
 */
export function expectSuccess(answer: Answer, version: string): Results {
  const { meta, results } = envelopeOf(answer);
  expect({ status: answer.status, meta }).toEqual({
    status: 200,
    meta: {
      status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
      results_count: results.length,
      api_version: version,
    },
  });
  expectCommonHeaders(answer, version);
  return results;
}

/** Returns the results of a successful GET. */
export async function resultsOf(service: TestService, path: string, key: string): Promise<Results> {
  return expectSuccess(await service.get(path, key), versionOf(path));
}

function versionOf(path: string): string {
  return path.startsWith('/ledger/') ? 'ledger-1' : path.slice('/v'.length, '/v2.1'.length);
}

/** Returns the only result of a successful GET. */
export async function resultOf(
  service: TestService,
  path: string,
  key: string,
): Promise<Results[number]> {
  const [result, ...more] = await resultsOf(service, path, key);
  expect(more).toEqual([]);
  if (result === undefined) throw new Error('there was no result');
  return result;
}
