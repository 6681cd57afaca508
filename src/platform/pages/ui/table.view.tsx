import type { ComponentChildren } from 'preact';
import { Help } from './help.view.js';
import { DateTime, Day, Money, numberText } from './values.view.js';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  /** Word beside each value on a narrow screen; the name by default. */
  readonly shortName?: string;
  /** Returns that word where it depends on the value, such as `sale` beside 1. */
  readonly wordOf?: (row: Row) => string;
  /** Content of the header cell; the name by default. */
  readonly head?: ComponentChildren;
  /** Explains the column, behind a `?` in its head. */
  readonly help?: ComponentChildren;
  /** Order of the rows by this column. */
  readonly order?: 'ascending' | 'descending' | undefined;
  /** Aligns the cells to the right and never wraps them. */
  readonly isNumber?: boolean;
  /** Writes the word before the value on a narrow screen, where `next 1 Oct` has a sense. */
  readonly isTime?: boolean;
  /** Shows the column on paper only, or not on a phone. */
  readonly only?: 'paper' | 'wide';
  /** The first column with this is the main one, unless the table says which one is. */
  readonly isMain?: boolean;
  /**
   * Place on a narrow screen, where a row has two lines. `main` is at the end of the first line,
   * `fact` and `bare` are in the second one with their word or without it, `lines` is below it, and
   * `none` is left out, because the page of the row has it. By default, the first columns fill the
   * second line. `title` begins the first line; the first column then begins the second line, and
   * its link covers the whole row.
   */
  readonly narrow?: 'main' | 'title' | 'fact' | 'bare' | 'lines' | 'none';
  /** Returns true for a value such as zero, which a narrow screen leaves out. */
  readonly isZero?: (row: Row) => boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** Returns a column of numbers, or of other short values that are compared with each other. */
export function numbers<Row>(name: string, cell: Column<Row>['cell']): Column<Row> {
  return { name, isNumber: true, cell };
}

/** Text of zero in a table, in which the other values stand out. */
const ZERO = '–';

/** Returns a column of whole numbers, with their digits grouped. */
export function counts<Row>(name: string, countOf: (row: Row) => number): Column<Row> {
  return {
    ...numbers<Row>(name, (row) => (countOf(row) === 0 ? ZERO : numberText(countOf(row)))),
    wordOf: (row) => (countOf(row) === 1 ? wordOf(name).replace(/s$/, '') : wordOf(name)),
    isZero: (row) => countOf(row) === 0,
  };
}

/** Returns a column of amounts of money. */
export function amounts<Row>(name: string, centsOf: (row: Row) => number | bigint): Column<Row> {
  const isZero = (row: Row) => BigInt(centsOf(row)) === 0n;
  return {
    ...numbers<Row>(name, (row) => (isZero(row) ? ZERO : <Money cents={centsOf(row)} />)),
    isMain: true,
    isZero,
  };
}

/**
 * Links the cells of a column, except those that are zero.
 * @param to returns the address behind a cell; undefined for a cell without one
 */
export function linked<Row>(
  column: Column<Row>,
  to: (row: Row) => string | undefined,
): Column<Row> {
  const { cell, isZero } = column;
  const content = (row: Row) => {
    const href = isZero?.(row) === true ? undefined : to(row);
    return href === undefined ? cell(row) : <a href={href}>{cell(row)}</a>;
  };
  return { ...column, cell: content };
}

/** Returns a column of date-times in UTC. */
export function times<Row>(
  name: string,
  timeOf: (row: Row) => string | null,
  isExact = false,
): Column<Row> {
  return {
    name,
    isTime: true,
    isZero: (row) => timeOf(row) === null,
    cell: (row) => <DateTime at={timeOf(row)} isExact={isExact} />,
  };
}

/** Returns a column of days in UTC, without their times. */
export function days<Row>(name: string, timeOf: (row: Row) => string | null): Column<Row> {
  return { ...times(name, timeOf), cell: (row) => <Day at={timeOf(row)} /> };
}

/** Writes a name as a word within a line; an abbreviation keeps its capitals. */
function wordOf(name: string): string {
  return /^\p{Lu}(?!\p{Lu})/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}

interface Properties<Row> {
  readonly id?: string;
  readonly label: string;
  /** Keeps its shape on a narrow screen, where it scrolls. Its cells have shades. */
  readonly isShaded?: boolean;
  /** Centres the cells of a row, of which one has a button. */
  readonly isCentred?: boolean;
  /** Columns of the table; the first one is the row header. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Text in place of a table without rows. */
  readonly empty?: ComponentChildren;
  /** Row below the others. */
  readonly total?: Row;
  /** Form that sorts the rows on a narrow screen, where the table has no head. */
  readonly sorting?: ComponentChildren;
}

/** The second line of a row has up to this many facts that its table has not chosen. */
const FACTS = 3;
/** A table with up to this many columns needs little room. */
const FEW = 3;
/** A table with more columns than the first number scrolls on some screens, the second on all. */
const [SOME, MANY] = [5, 9];

/** Returns the class that decides on which screens the rows become lines or the table scrolls. */
function sizeOf(columns: number): string {
  if (columns <= FEW) return 'few';
  if (columns <= SOME) return '';
  return columns <= MANY ? 'many' : 'grid';
}

/**
 * Shows a table whose rows the style sheet turns into two lines each on a narrow screen. This
 * changes `display`, which would remove the table semantics, so each part has an explicit role.
 */
export function Table<Row>(table: Properties<Row>) {
  const { id, label, columns, rows, total, isShaded = false, isCentred = false, sorting } = table;
  if (rows.length === 0 && table.empty !== undefined) return <p class="empty">{table.empty}</p>;
  const places = placesOf(columns);
  const onScreen = columns.filter(({ only }) => only !== 'paper');
  const shapes = [isShaded ? 'shaded' : '', isCentred ? 'centred' : ''];
  const sizes = ['table', sizeOf(onScreen.length), ...shapes];
  return (
    <div class={sizes.filter((size) => size !== '').join(' ')}>
      {sorting !== undefined && <div class="sort">{sorting}</div>}
      <div class="frame" tabIndex={0} role="group" aria-label={label}>
        <table id={id} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ name, head = name, help, order, isNumber, only }, index) => (
                <th
                  scope="col"
                  role="columnheader"
                  class={classes(
                    isNumber && 'number',
                    only && ONLY[only],
                    (places[index] === 'main' || places[index] === 'title') && places[index],
                  )}
                  aria-sort={order}
                >
                  {head}
                  {help !== undefined && (
                    <Help id={helpId(label, index)} about={name}>
                      {help}
                    </Help>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <Cells columns={columns} places={places} row={row} />
            ))}
          </tbody>
          {total !== undefined && (
            <tfoot role="rowgroup">
              <Cells columns={columns} places={places} row={total} />
            </tfoot>
          )}
        </table>
      </div>
    </div>
  );
}

function helpId(label: string, column: number): string {
  return `help-${label.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${column}`;
}

type Place = NonNullable<Column<unknown>['narrow']>;

/** Returns where a narrow screen shows each column; the first one is the name of the row. */
function placesOf<Row>(columns: readonly Column<Row>[]): readonly Place[] {
  const chosen = columns.findIndex(({ narrow }) => narrow === 'main');
  const main = chosen === -1 ? columns.findIndex(({ isMain = false }) => isMain) : chosen;
  let free = FACTS - columns.filter(({ narrow }) => narrow === 'fact' || narrow === 'bare').length;
  return columns.map(({ narrow, isNumber = false, isTime = false, only }, index) => {
    if (index === main) return 'main';
    if (only !== undefined) return 'none';
    if (narrow !== undefined) return narrow;
    if (index === 0 || free <= 0) return 'none';
    free -= 1;
    return isNumber || isTime ? 'fact' : 'bare';
  });
}

function Cells<Row>({
  columns,
  places,
  row,
}: Pick<Properties<Row>, 'columns'> & {
  readonly places: readonly Place[];
  readonly row: Row;
}) {
  return (
    <tr role="row">
      {columns.map((column, index) =>
        index === 0 ? (
          <th scope="row" role="rowheader">
            <div class="content">{column.cell(row)}</div>
          </th>
        ) : (
          <Cell column={column} place={places[index] ?? 'none'} row={row} />
        ),
      )}
    </tr>
  );
}

function Cell<Row>({
  column: { name, shortName, isNumber, isZero, only, ...column },
  place,
  row,
}: {
  readonly column: Column<Row>;
  readonly place: Place;
  readonly row: Row;
}) {
  const isEmpty = isZero?.(row) === true;
  const isShown = place === 'main' || (place !== 'none' && !isEmpty);
  const word = place === 'fact' ? (shortName ?? column.wordOf?.(row) ?? wordOf(name)) : undefined;
  const kinds = [
    isNumber && 'number',
    only && ONLY[only],
    isEmpty && 'zero',
    isShown && CLASSES[place],
  ];
  return (
    <td role="cell" data-label={name} class={classes(...kinds)}>
      <div class="content" data-word={word}>
        {column.cell(row)}
      </div>
    </td>
  );
}

const ONLY = { paper: 'print-only', wide: 'wide-only' } as const;
const CLASSES: Readonly<Record<Place, string | undefined>> = {
  main: 'main',
  title: 'title',
  fact: 'fact',
  bare: 'fact',
  lines: 'lines',
  none: undefined,
};

function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}
