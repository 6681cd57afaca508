import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../src/api/errors/api-error.js';
import { CATALOGUE, type Outcome } from '../../../src/api/errors/catalogue.js';
import { errorEnvelope, successEnvelope } from '../../../src/api/envelope/envelope.js';

const outcomes = Object.values(CATALOGUE);

describe('the catalogue', () => {
  /** Clients rely on these statuses and codes, so they must not change. */
  it.each<[Outcome, number, number]>([
    ['success', 200, 2000],
    ['no_content', 204, 2040],
    ['bad_request', 400, 4000],
    ['invalid_parameters', 400, 4001],
    ['key_missing', 401, 4010],
    ['key_invalid', 401, 4011],
    ['request_failed', 402, 4000],
    ['foreign_product', 403, 4012],
    ['account_suspended', 403, 4030],
    ['insufficient_access', 403, 4030],
    ['forbidden', 403, 4031],
    ['not_found', 404, 4040],
    ['method_not_allowed', 405, 4050],
    ['too_many_requests', 429, 4290],
    ['internal_error', 500, 5000],
  ])('has %s as HTTP %d with the code %d', (outcome, http_status_code, code) => {
    expect(CATALOGUE[outcome]).toMatchObject({ http_status_code, code });
  });

  it('has one message for each status and code', () => {
    const keys = outcomes.map(({ http_status_code, code }) => `${http_status_code} ${code}`);
    const messages = outcomes.map(({ message }, at) => `${keys[at] ?? ''} ${message}`);
    expect(new Set(messages).size).toBe(new Set(keys).size);
  });

  it('has no message of another code, and for 402 one of its own', () => {
    const others = outcomes.filter(({ http_status_code }) => http_status_code !== 402);
    const pairs = new Set(others.map(({ code, message }) => `${code} ${message}`));
    expect(pairs.size).toBe(new Set(others.map(({ code }) => code)).size);
    expect(CATALOGUE.request_failed.message).toBe('Request failed');
  });

  it.each([
    [2000, 'Success'],
    [2040, 'No content found'],
    [4000, 'Bad request'],
    [4001, 'Invalid parameters'],
    [4010, 'API key is missing'],
    [4011, 'Invalid API key'],
    [4040, 'Not found'],
    [4050, 'Method not allowed'],
    [4290, 'Too many requests'],
    [5000, 'Internal server error'],
  ])('calls %d %s', (code, message) => {
    expect(outcomes.find((outcome) => outcome.code === code)?.message).toBe(message);
  });
});

describe('the envelope', () => {
  it('of an error holds one null and counts none', () => {
    const envelope = errorEnvelope('2.1', new ApiError('not_found', 'There is none.'));
    expect(JSON.parse(envelope)).toEqual({
      meta: {
        status: {
          http_status_code: 404,
          code: 4040,
          message: 'Not found',
          detail: 'There is none.',
        },
        results_count: 0,
        api_version: '2.1',
      },
      results: [null],
    });
  });

  it('of a success counts its results and has no detail', () => {
    expect(
      JSON.parse(String(successEnvelope({ version: '2.0', status: 200 }, { results: [{}, {}] }))),
    ).toEqual({
      meta: {
        status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
        results_count: 2,
        api_version: '2.0',
      },
      results: [{}, {}],
    });
  });
});
