import { envelopeOf, type Answer, type EnvelopeBody } from '../service/http.js';

/** HTTP status and message of each code. */
export const FAILURES = {
  4000: { http: 400, message: 'Bad request' },
  4001: { http: 400, message: 'Invalid parameters' },
  4010: { http: 401, message: 'API key is missing' },
  4011: { http: 401, message: 'Invalid API key' },
  4012: { http: 403, message: 'Authenticated user has no access (specific)' },
  4030: { http: 403, message: 'Authenticated user has no access (general)' },
  4031: { http: 403, message: 'Authenticated user has no access (forbidden)' },
  4040: { http: 404, message: 'Not found' },
  4050: { http: 405, message: 'Method not allowed' },
  4290: { http: 429, message: 'Too many requests' },
  5000: { http: 500, message: 'Internal server error' },
} as const;

export type FailureCode = keyof typeof FAILURES;

/** Headers that every response has. */
const HEADERS = {
  'content-type': /^application\/json; charset=utf-8$/,
  'cache-control': /^private, no-store$/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[A-Za-z0-9._-]{1,128}$/,
} as const;
const SENTENCE = /^[A-Za-z][^\n]*\.$/;

/** Details must not match this pattern, which recognizes internal information. */
const INSIDE =
  /\b(select|insert|update|delete) .*\b(from|into|set)\b|sql_|sqlite|mysql|mariadb|key_hash|node_modules|\bat [\w.]+ \(|root:/i;

/** Maximum number of characters of a text in a message. */
const MAX_SHOWN = 200;

/** @throws Error that lists the problems, one a line, if there are any */
export function throwAll(check: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const lines = [...new Set(problems)].map((problem) => `- ${problem}`);
  throw new Error(`${check} found ${count(lines.length)}:\n${lines.join('\n')}`);
}

function count(problems: number): string {
  return problems === 1 ? '1 problem' : `${problems} problems`;
}

/** Returns what is wrong in a response, by the rules that hold for all responses of the API. */
export function problemsOf(answer: Answer, version: string, sent = ''): string[] {
  const { status, headers, text } = answer;
  const problems = [
    ...(status >= 500 ? [`the status ${status}`] : []),
    ...(headers['x-api-version'] === version ? [] : [`not the version ${version}`]),
  ];
  if (status === 304 || status === 204) return problems;
  const body = bodyOf(answer);
  if (body === null) return [...problems, `no envelope: ${shown(text)}`];
  const { http_status_code, detail } = body.meta.status;
  const inside = (detail ?? '').replaceAll(sent === '' ? /$^/g : sent, '');
  return [
    ...problems,
    ...(http_status_code === status ? [] : [`${http_status_code} in an answer of ${status}`]),
    ...(INSIDE.test(inside) ? [`an error that shows the inside: ${shown(inside)}`] : []),
  ];
}

/** Returns what is wrong in a refusal: its status, headers, or the envelope and its fields. */
export function refusalProblems(answer: Answer, code: FailureCode, version: string): string[] {
  const body = bodyOf(answer);
  const { http, message } = FAILURES[code];
  const { code: found, detail = null } = body?.meta.status ?? {};
  if (answer.status !== http || found !== code) {
    return [`answers ${answer.status} with code ${found ?? 'none'}, not code ${code}`];
  }
  const status = { http_status_code: http, code, message, detail };
  const meta = { status, results_count: 0, api_version: version };
  const isWhole = answer.text === JSON.stringify({ meta, results: [null] });
  const isSentence = detail === null || SENTENCE.test(detail);
  const challenge = answer.headers['www-authenticate'] ?? '';
  return [
    ...problemsOf(answer, version),
    ...Object.entries(HEADERS)
      .filter(([name, pattern]) => !pattern.test(String(answer.headers[name])))
      .map(([name]) => `the header ${name} is ${String(answer.headers[name])}`),
    ...(isWhole ? [] : [`not the envelope of a failure: ${shown(answer.text)}`]),
    ...(isSentence ? [] : [`a detail that is no sentence: ${shown(detail)}`]),
    ...(http !== 401 || challenge.startsWith('Basic ') ? [] : ['no WWW-Authenticate']),
  ];
}

/** @returns null if the response has no envelope */
function bodyOf(answer: Answer): EnvelopeBody | null {
  try {
    const body = envelopeOf(answer);
    return Array.isArray(body.results) && typeof body.meta.status.code === 'number' ? body : null;
  } catch {
    return null;
  }
}

/** Returns the beginning of a text, in one line. */
export function shown(text: string): string {
  const line = JSON.stringify(text);
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
