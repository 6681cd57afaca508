import { envelopeOf, type Answer, type EnvelopeBody } from '../service/http.js';

/** HTTP status of the codes with which operations refuse a request. */
const STATUS = { 4010: 401, 4012: 403, 4030: 403, 4040: 404 } as const;

export type RefusalCode = keyof typeof STATUS;

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

/** Returns what is wrong in a refusal: its status, its code, and results that it must not have. */
export function refusalProblems(answer: Answer, code: RefusalCode, version: string): string[] {
  const body = bodyOf(answer);
  const found = body?.meta.status.code;
  if (answer.status !== STATUS[code] || found !== code) {
    return [`answers ${answer.status} with code ${found ?? 'none'}, not code ${code}`];
  }
  const isEmpty = JSON.stringify(body?.results) === '[null]';
  return [...problemsOf(answer, version), ...(isEmpty ? [] : ['refuses, and has results'])];
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
