/**
 * Finds the columns for which each statement of the service gives values. It parses only the SQL
 * that the service uses: aliased columns in joins, and conditions of AND and OR with `column = ?`
 * and `column IN (…)`.
 */

/** A table in a statement, with the columns for which the statement gives values. */
export interface TableUse {
  readonly table: string;
  readonly named: ReadonlySet<string>;
}

interface Source {
  readonly alias: string;
  /** Null if the source is a subquery. */
  readonly table: string | null;
  readonly named: Set<string>;
}

interface Query {
  readonly uses: readonly TableUse[];
  /** Columns that are bound to values in each source of the rows. */
  readonly named: ReadonlySet<string>;
}

const WORDS =
  'WHERE|ON|JOIN|LEFT|INNER|CROSS|ORDER|GROUP|LIMIT|UNION|HAVING|FOR|SET|VALUES|SELECT|USING';
const SOURCES = new RegExp(
  `\\b(?:FROM|JOIN)\\s+(#\\d+|[a-z_][a-z0-9_]*)(?:\\s+(?:AS\\s+)?(?!(?:${WORDS})\\b)([A-Za-z_]\\w*))?`,
  'g',
);

export function tableUsesOf(sql: string): TableUse[] {
  const text = sql.replaceAll(/\s+/g, ' ').trim();
  const insert = /^(?:INSERT INTO|REPLACE INTO) ([a-z_][a-z0-9_]*) ?\(([^)]*)\)/.exec(text);
  if (insert !== null) {
    const [, table = '', columns = ''] = insert;
    return [{ table, named: new Set(columns.split(/, ?/)) }];
  }
  const { uses } = queryOf(text.replace(/^UPDATE ([a-z_][a-z0-9_]*) SET/, 'FROM $1 SET'));
  const own = new Set(
    Array.from(text.matchAll(/([a-z_][a-z0-9_]*) \([^()]*\) AS \(/g), ([, name]) => name),
  );
  return uses.filter(({ table }) => !own.has(table));
}

/** Parses a query, or several queries combined with UNION ALL. */
function queryOf(text: string): Query {
  const inner: Query[] = [];
  const flat = withoutQueries(text, inner);
  const selects = flat.split(/\bUNION ALL\b/).map((select) => selectOf(select, inner));
  return {
    uses: [...inner.flatMap(({ uses }) => uses), ...selects.flatMap(({ uses }) => uses)],
    named: inAll(selects.map(({ named }) => named)),
  };
}

/** Replaces each query in parentheses with `#` and its index among the inner queries. */
function withoutQueries(text: string, inner: Query[]): string {
  let flat = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== '(') {
      flat += text[at] ?? '';
      continue;
    }
    const end = closing(text, at);
    const content = text.slice(at + 1, end);
    if (/^\s*SELECT\b/.test(content)) {
      inner.push(queryOf(content));
      flat += `#${inner.length - 1}`;
    } else flat += `(${withoutQueries(content, inner)})`;
    at = end;
  }
  return flat;
}

function selectOf(text: string, inner: readonly Query[]): Query {
  const sources = Array.from(text.matchAll(SOURCES), ([, name = '', alias]): Source => {
    const query = name.startsWith('#') ? inner[Number(name.slice(1))] : undefined;
    const isTable = query === undefined;
    return { alias: alias ?? name, table: isTable ? name : null, named: new Set(query?.named) };
  });
  const condition = conditionOf(text);
  for (const { alias, named } of sources) {
    for (const column of boundIn(condition, alias, sources.length === 1)) named.add(column);
  }
  passOn(condition, sources);
  return {
    uses: sources.flatMap(({ table, named }) => (table === null ? [] : [{ table, named }])),
    named: inAll(sources.slice(0, 1).map(({ named }) => named)),
  };
}

/**
 * Passes bound columns across the equalities of joins. Rows of a subquery inherit its bound
 * columns.
 */
function passOn(condition: string, sources: readonly Source[]): void {
  const pairs = Array.from(
    condition.matchAll(
      /\b([A-Za-z_]\w*)\.([a-z_][a-z0-9_]*) = ([A-Za-z_]\w*)\.([a-z_][a-z0-9_]*)/g,
    ),
    ([, left = '', leftColumn = '', right = '', rightColumn = '']) => [
      { alias: left, column: leftColumn },
      { alias: right, column: rightColumn },
    ],
  );
  for (const pair of [...pairs, ...pairs]) {
    for (const [from, to] of [pair, [...pair].reverse()]) {
      const [giver, taker] = [from, to].map((end) =>
        sources.find(({ alias }) => alias === end?.alias),
      );
      if (from === undefined || to === undefined || taker === undefined) continue;
      // The alias belongs to the outer query, whose rows are looked up one at a time.
      if (giver === undefined || giver.named.has(from.column)) taker.named.add(to.column);
      if (giver?.table === null) for (const column of giver.named) taker.named.add(column);
    }
  }
}

/** Returns the conditions of joins and WHERE, without the clauses that follow. */
function conditionOf(text: string): string {
  const [head = ''] = text.split(/\b(?:GROUP BY|ORDER BY|HAVING|LIMIT|FOR UPDATE)\b/);
  const [before = '', where = '1 = 1'] = head.split(/\bWHERE\b/);
  const joins = before.split(/\bON\b/).slice(1);
  const conditions = joins.map((join) => join.replace(/(?:\b(?:LEFT|INNER|CROSS) )?JOIN\b.*$/, ''));
  return [...conditions, `(${where})`].join(' AND ');
}

/** Returns the columns that can only have values that the statement gives. */
function boundIn(condition: string, alias: string, isAlone: boolean): Set<string> {
  const either = splitAt(condition, 'OR');
  if (either.length > 1) return inAll(either.map((each) => boundIn(each, alias, isAlone)));
  const all = splitAt(condition.replaceAll(/BETWEEN \S+ AND [^\s()]+/g, 'BETWEEN'), 'AND');
  if (all.length > 1) return new Set(all.flatMap((each) => [...boundIn(each, alias, isAlone)]));
  const term = condition.trim();
  if (term.startsWith('(') && closing(term, 0) === term.length - 1) {
    return boundIn(term.slice(1, -1), alias, isAlone);
  }
  // SQLite reads `+column` as an expression, for which it uses no index.
  const value =
    /^\+?(?:([A-Za-z_]\w*)\.)?([a-z_][a-z0-9_]*) (?:= (?:\?|'[^']*'|\d+)|IN \([?\d, ]+\))$/.exec(
      term,
    );
  if (value === null) return new Set();
  const [, owner, column = ''] = value;
  return owner === alias || (owner === undefined && isAlone) ? new Set([column]) : new Set();
}

function splitAt(text: string, word: 'AND' | 'OR'): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at += 1) {
    const end = text[at] === '(' ? closing(text, at) : at;
    const isWord = text.startsWith(` ${word} `, at);
    if (isWord) parts.push(part);
    part = isWord ? '' : part + text.slice(at, end + 1);
    at = isWord ? at + word.length : end;
  }
  return [...parts, part];
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error(`no end: ${text.slice(open)}`);
}

function inAll(sets: readonly ReadonlySet<string>[]): Set<string> {
  const [first = new Set<string>(), ...more] = sets;
  return new Set([...first].filter((column) => more.every((other) => other.has(column))));
}
