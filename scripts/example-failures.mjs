// Gets the service's real answers to invalid requests, derived from the example of each operation.
import { Readable } from 'node:stream';
import { AddressList, CATALOGUE, ImportService } from '../dist/internals.js';

const OTHER_VENDOR = 1002;
const SUSPENDED = 999_999_998;
const NOBODY = '999999999';
const ELSEWHERE = '192.0.2.1';

/**
 * Returns the failures that can be provoked for each operation: the answers by the names of the
 * failures.
 */
export async function exampleFailures(caller, examples) {
  const strangers = await strangersOf(caller);
  const failures = new Map();
  for (const example of examples) {
    const found = {};
    for (const call of wrongCalls(example, strangers)) {
      const answer = await caller.call(...call);
      found[failureOf(answer)] = answer;
    }
    failures.set(example.operation, found);
  }
  return failures;
}

function wrongCalls(example, strangers) {
  const { method, path, key, body } = example;
  // An open operation accepts every body. The token in its example is not valid, so the same call
  // fails.
  if (key === null) return [[method, path, key, body]];
  if (/^GET \/(v\d\.\d|ledger\/v1)$/.test(example.operation)) {
    return [
      ['GET', `${path}?%`, key],
      ['GET', path, null],
      ['GET', path, 'no-key'],
      ['GET', path, strangers.suspended],
      ['GET', path, strangers.elsewhere],
    ];
  }
  // A feed answers a request with an unknown paykey in the same way as one without a paykey.
  const missing = example.operation.includes('/latest-')
    ? null
    : (withPart(example, /_id$/, NOBODY) ?? withPart(example, /[kK]ey$/, 'nothing'));
  const foreign = withPart(example, /^product_id$/, strangers.product);
  const wrong = body === undefined ? wrongPath(example) : null;
  return [
    ...(body === undefined || Array.isArray(body) ? [] : [[method, path, key, {}]]),
    ...(Array.isArray(body) ? [[method, `${path}?atomic=true`, key, body]] : []),
    ...[wrong, missing, foreign].flatMap((other) =>
      other === null ? [] : [[method, other, key, body]],
    ),
  ];
}

/** Returns the path of a call with an invalid size or number, or null. */
function wrongPath(example) {
  return example.path.includes('page_size=')
    ? example.path.replace(/page_size=\d+/, 'page_size=0')
    : withPart(example, /^(affiliate|product)_id$/, 'x');
}

/** Returns the path of a call with another value for the first parameter of that name, or null. */
function withPart({ operation, path }, name, value) {
  const template = operation.slice(operation.indexOf('/')).split('/');
  const at = template.findIndex((part) => part.startsWith('{') && name.test(part.slice(1, -1)));
  return at < 0 ? null : path.split('/').with(at, value).join('/');
}

/**
 * Returns a product of another vendor, a key of a suspended account, and a key for another address.
 */
async function strangersOf(caller) {
  const record = { type: 'user', id: SUSPENDED, name: '', email: '', status: 'suspended' };
  await caller.app
    .get(ImportService)
    .import(Readable.from([Buffer.from(`${JSON.stringify(record)}\n`)]), {
      dryRun: false,
      strict: true,
      onProblem: (line, problem) => console.error(problem),
      onProgress: () => undefined,
    });
  const names = await caller.call('GET', '/v2.1/products/names', await caller.keyOf(OTHER_VENDOR));
  return {
    product: String(names.results[0].product_id),
    suspended: await caller.keyOf(SUSPENDED),
    elsewhere: await caller.keyOf(OTHER_VENDOR, AddressList.parse(ELSEWHERE)),
  };
}

function failureOf({ meta: { status } }) {
  const found = Object.entries(CATALOGUE).find(
    ([, { http_status_code, code }]) =>
      http_status_code === status.http_status_code && code === status.code,
  );
  if (found === undefined || found[0] === 'success') {
    throw new Error(`no failure: ${JSON.stringify(status)}`);
  }
  return found[0];
}
