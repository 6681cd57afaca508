import { methodOf, type Row } from '../ledger/access-row.js';
import type { Request } from '../service/http.js';

/** The parts of a row that decide where texts are put. */
type Inputs = Omit<Row<string>, 'names' | 'allows' | 'personal'>;

/** A place in a request that a client fills, with a function that puts a text there. */
export interface Point {
  readonly place: string;
  readonly with: (text: string) => Request;
  /**
   * True if no hostile text is valid here, so that a successful response means the text was
   * interpreted.
   */
  readonly refuses: boolean;
  /** True if the text is the whole value of an input of the operation. */
  readonly isValue: boolean;
}

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const HEADERS = ['X-Request-Id', 'User-Agent', 'traceparent', 'If-None-Match', 'X-Forwarded-For'];

/**
 * Returns every place in an operation's requests, with the fields of its body both as JSON and as a
 * form.
 */
export function pointsOf(row: Inputs): Point[] {
  return [...pathPoints(row), ...queryPoints(row), ...bodyPoints(row), ...headerPoints(row)];
}

function requestOf(row: Inputs): Request {
  const { path, body } = row;
  const method = methodOf(row);
  if (body === undefined) return { method, path: path('vendor') };
  const headers = { 'Content-Type': JSON_TYPE };
  return { method, path: path('vendor'), headers, body: JSON.stringify(body) };
}

function pathPoints(row: Inputs): Point[] {
  const request = requestOf(row);
  const template = row.operation.slice(row.operation.indexOf(' ') + 1).split('/');
  return template.flatMap((part, at) => {
    if (!part.startsWith('{')) return [];
    const put = (text: string): Request => {
      const parts = request.path.split('/');
      parts[at] = text;
      return { ...request, path: parts.join('/') };
    };
    const refuses = !takesText(row, part.slice(1, -1));
    return [
      { place: part, with: (text) => put(encodeURIComponent(text)), refuses, isValue: true },
      // The text is encoded only as far as HTTP requires.
      { place: `${part} as it is`, with: (text) => put(bare(text)), refuses, isValue: false },
    ];
  });
}

function takesText({ texts = [] }: Inputs, name: string): boolean {
  return texts.includes(name);
}

function bare(text: string): string {
  return encodeURI(text)
    .replace(/%25(?=[0-9a-f]{2})/gi, '%')
    .replace(/[?#]/g, encodeURIComponent);
}

function queryPoints(row: Inputs): Point[] {
  const request = requestOf(row);
  const [path = '', valid = ''] = request.path.split('?');
  const names = row.query ?? [...new URLSearchParams(valid).keys()];
  const point = (place: string, query: (text: string) => string, refuses = false): Point => ({
    place,
    refuses,
    isValue: names.includes(place),
    with: (text) => ({ ...request, path: `${path}?${query(encodeURIComponent(text))}` }),
  });
  return [
    point('an unknown parameter', (text) => `${valid}&page=${text}&${text}=1&[${text}]=${text}`),
    ...names.flatMap((name) => {
      const others = valid
        .split('&')
        .filter((pair) => !pair.startsWith(`${name}=`))
        .join('&');
      return [
        point(name, (text) => `${others}&${name}=${text}`, !takesText(row, name)),
        point(`${name} again`, (text) => `${others}&${name}=1&${name}=${text}`, true),
        point(
          `an operator on ${name}`,
          (text) => `${others}&${name}[$gt]=${text}&${name}[]=${text}`,
        ),
        point(`an operator as ${name}`, (text) => `${others}&${name}[${text}]=1`),
      ];
    }),
  ];
}

function bodyPoints(row: Inputs): Point[] {
  const request = requestOf(row);
  const fields = row.fields ?? Object.keys(row.body ?? {});
  const sent = (type: string, body: string): Request => ({
    ...request,
    headers: { 'Content-Type': type },
    body,
  });
  const asJson = (place: string, refuses: boolean, changes: (text: string) => object): Point => ({
    place,
    refuses,
    isValue: fields.includes(place),
    with: (text) => sent(JSON_TYPE, JSON.stringify({ ...row.body, ...changes(text) })),
  });
  return fields.flatMap((name) => [
    asJson(name, !takesText(row, name), (text) => ({ [name]: text })),
    asJson(`an operator on ${name}`, true, (text) => ({ [name]: { $gt: text, [text]: '' } })),
    asJson(`a list as ${name}`, !takesText(row, name), (text) => ({ [name]: [text] })),
    asJson(`a field beside ${name}`, !takesText(row, name), (text) =>
      Object.fromEntries([
        [name, text],
        [text, text],
      ]),
    ),
    {
      place: `${name} of a form`,
      refuses: false,
      isValue: false,
      with: (text) => {
        const form = new URLSearchParams({ [name]: text, [`${name}[$gt]`]: text, [text]: text });
        return sent(FORM, form.toString());
      },
    },
  ]);
}

function headerPoints(row: Inputs): Point[] {
  const request = requestOf(row);
  return HEADERS.map((name) => ({
    place: name,
    refuses: false,
    isValue: false,
    with: (text) => ({ ...request, headers: { ...request.headers, [name]: sendable(text) } }),
  }));
}

/**
 * Replaces the characters that a header cannot contain: Node.js sends no control characters and
 * none beyond Latin-1.
 */
export function sendable(text: string): string {
  return text.replace(/[^\t\x20-\x7e\xa0-\xff]/g, ' ').slice(0, 4_000);
}
