/**
 * Collects everything that the service shows to a user, through the operations it lists and the
 * links of its pages.
 */
import type { Visitor } from '../browser/visitor.js';
import type { Answer } from '../http/http.js';
import type { TestService } from '../servers/service.js';
import { operationsOf, VERSIONS } from './operations.js';

/** Responses by request, without the parts that differ between equal responses. */
export type Seen = ReadonlyMap<string, string>;

/** Values for the parameters of paths, by parameter name. */
export type PathValues = Readonly<Record<string, readonly (string | number)[]>>;
/** Queries to send, by path template. */
export type Queries = Readonly<Record<string, readonly string[]>>;

const HEADERS = [
  'x-ledger-count',
  'x-ledger-cursor',
  'x-paykey',
  'content-disposition',
  'location',
] as const;
/** Number of pages of each kind, such as those of ranges, that are read. */
const PAGES_OF_A_KIND = 3;

/** Sends every GET that the service lists, with all values of its parameters and all queries. */
export async function answersTo(
  service: TestService,
  key: string,
  values: PathValues,
  queries: Queries,
): Promise<Seen> {
  const seen = new Map<string, string>();
  for (const version of VERSIONS) {
    for (const operation of await operationsOf(service, version, key)) {
      const [method, template = ''] = operation.split(' ');
      if (method !== 'GET') continue;
      for (const path of pathsOf(template, values)) {
        for (const query of queries[template] ?? ['']) {
          const headers = { 'X-Request-Id': 'the-same' };
          seen.set(`GET ${path}${query}`, shown(await service.get(path + query, key, headers)));
        }
      }
    }
  }
  return seen;
}

/** Follows the links of the account pages from these pages, and reads some pages of each kind. */
export async function pagesOf(visitor: Visitor, first: readonly string[]): Promise<Seen> {
  const seen = new Map<string, string>();
  const kinds = new Map<string, number>();
  const waiting = [...first];
  const wanted = new Set(first);
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const answer = await visitor.get(path);
    seen.set(path, shown(answer));
    for (const link of linksIn(answer)) {
      const kind = kindOf(link);
      const known = kinds.get(kind) ?? 0;
      if (wanted.has(link) || known === PAGES_OF_A_KIND) continue;
      kinds.set(kind, known + 1);
      wanted.add(link);
      waiting.push(link);
    }
  }
  return seen;
}

/** Lists the differences, with the text around the first difference in each response. */
export function differences(before: Seen, after: Seen): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((asked) => {
    const [old, now] = [before.get(asked) ?? '', after.get(asked) ?? ''];
    if (old === now) return [];
    let at = 0;
    while (at < now.length && now[at] === old[at]) at += 1;
    const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
    return [`${asked}: ${around(old)} >>> ${around(now)}`];
  });
}

/** Returns the paths of a template with each combination of the values of its parameters. */
function pathsOf(template: string, values: PathValues): string[] {
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return [template];
  const known = values[name];
  if (known === undefined) throw new Error(`no values for {${name}} of ${template}`);
  return known.flatMap((value) => pathsOf(template.replace(`{${name}}`, String(value)), values));
}

function linksIn({ text }: Answer): string[] {
  const links = Array.from(text.matchAll(/ href="(\/account[^"#]*)/g), ([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  return links.filter((link) => !link.includes('sign-out'));
}

/** Parameters that choose how much a page shows and in which order, but not of what. */
const OF_VIEWS: ReadonlySet<string> = new Set(
  'range from to compare refunds by top sort order figure'.split(' '),
);

/** Returns the kind of a page: its path without ids, and the names of its other parameters. */
function kindOf(link: string): string {
  const { pathname, searchParams } = new URL(link, 'http://service.example');
  const path = pathname.replace(/[^/]*\d[^/]*/g, ':id');
  const names = [...searchParams.keys()].filter((name) => !OF_VIEWS.has(name));
  return `${path} ${names.sort().join(' ')}`;
}

function shown({ status, headers, text, body }: Answer): string {
  const isText = /json|text|csv/.test(String(headers['content-type']));
  const content = isText ? withoutChanging(text) : body.toString('base64');
  const kept = HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [`${name}: ${String(value)}`];
  });
  return [String(status), ...kept, content].join('\n');
}

/**
 * Leaves out tokens, and the times of this day, such as those at which the session and the key of
 * the visitor itself were last used.
 */
function withoutChanging(text: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return text
    .replace(/(name="csrf_token" value=)"[^"]*"/g, '$1""')
    .replace(/ nonce="[^"]*"/g, '')
    .replaceAll(new RegExp(`<time datetime="${today}T.*?</time>`, 'g'), '<time/>')
    .replaceAll(new RegExp(`^${today} [0-9:]{8},`, 'gm'), 'today,')
    .replace(/(data-label="Last used"[^>]*><div class="content">)<time.*?<\/time>/g, '$1');
}
