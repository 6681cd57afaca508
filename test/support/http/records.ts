import { basic, envelopeOf, type Answer } from './http.js';
import type { TestService } from '../servers/service.js';

export const RECORDS = '/ledger/v1/records';
export const NDJSON = 'application/x-ndjson';
export const JSON_TYPE = 'application/json';

export interface RecordResult {
  readonly line: number;
  readonly type: string | null;
  readonly key: string | null;
  readonly verdict: string;
  readonly problem: string | null;
}

/** Returns records as lines of NDJSON. Texts are used as lines unchanged. */
export function linesOf(records: readonly (object | string)[]): string {
  return records
    .map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
    .map((line) => `${line}\n`)
    .join('');
}

/** Sends a body to the operation unchanged. */
export function sendBody(
  service: TestService,
  key: string,
  body: string | Buffer,
  { type = NDJSON, query = '', headers = {} }: SendOptions = {},
): Promise<Answer> {
  return service.send({
    method: 'POST',
    path: `${RECORDS}${query}`,
    headers: { ...basic(key), 'Content-Type': type, ...headers },
    body,
  });
}

interface SendOptions {
  readonly type?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends records as lines. */
export function sendRecords(
  service: TestService,
  key: string,
  records: readonly (object | string)[],
  query = '',
): Promise<Answer> {
  return sendBody(service, key, linesOf(records), { query });
}

/** @throws Error with the response if it is not a success */
export function resultsIn(answer: Answer): RecordResult[] {
  if (answer.status !== 200) throw new Error(answer.text);
  // Results of this operation have this type.
  return envelopeOf(answer).results as unknown as RecordResult[];
}

export function verdictsIn(answer: Answer): string[] {
  return resultsIn(answer).map(({ verdict }) => verdict);
}

export function problemsIn(answer: Answer): (string | null)[] {
  return resultsIn(answer).map(({ problem }) => problem);
}
