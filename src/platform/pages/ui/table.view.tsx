import type { ComponentChildren } from 'preact';
import { Help } from './help.view.js';
import { DateTime, Money, numberText } from './values.view.js';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  /** Name beside each value on a narrow screen, if it is shorter. */
  readonly shortName?: string;
  /** Content of the header cell; the name by default. */
  readonly head?: ComponentChildren;
  /** Explains the column, behind a `?` in its head. */
  readonly help?: ComponentChildren;
  /** Order of the rows by this column. */
  readonly order?: 'ascending' | 'descending' | undefined;
  /** Aligns the cells to the right and never wraps them. */
  readonly isNumber?: boolean;
  /** On a narrow screen, the first column with this is beside the name of the row. */
  readonly isMain?: boolean;
  /**
   * On a narrow screen, `bare` values have neither their name nor what is below them, so that a row
   * has two lines. `none` leaves the column out, because the page of the row has it.
   */
  readonly narrow?: 'bare' | 'none';
  /** Returns true for a value such as zero, which a narrow screen leaves out. */
  readonly isZero?: (row: Row) => boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** Returns a column of numbers, or of other short values that are compared with each other. */
export function numbers<Row>(name: string, cell: Column<Row>['cell']): Column<Row> {
  return { name, isNumber: true, cell };
}

/** Returns a column of whole numbers, with their digits grouped. */
export function counts<Row>(name: string, countOf: (row: Row) => number): Column<Row> {
  return {
    ...numbers<Row>(name, (row) => numberText(countOf(row))),
    isZero: (row) => countOf(row) === 0,
  };
}

/** Returns a column of amounts of money. */
export function amounts<Row>(name: string, centsOf: (row: Row) => number | bigint): Column<Row> {
  return {
    ...numbers<Row>(name, (row) => <Money cents={centsOf(row)} />),
    isMain: true,
    isZero: (row) => BigInt(centsOf(row)) === 0n,
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
  return { name, cell: (row) => <DateTime at={timeOf(row)} isExact={isExact} /> };
}

interface Properties<Row> {
  readonly id?: string;
  readonly label: string;
  /** Keeps its shape on a narrow screen, where it scrolls. Its cells have shades. */
  readonly isShaded?: boolean;
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
  const { id, label, columns, rows, total, isShaded = false, sorting } = table;
  if (rows.length === 0 && table.empty !== undefined) return <p class="empty">{table.empty}</p>;
  const sizes = ['table', sizeOf(columns.length), isShaded ? 'shaded' : ''];
  return (
    <div class={sizes.filter((size) => size !== '').join(' ')}>
      {sorting !== undefined && <div class="sort">{sorting}</div>}
      <div class="frame" tabIndex={0} role="group" aria-label={label}>
        <table id={id} role="table">
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ name, head = name, help, order, isNumber }, index) => (
                <th scope="col" role="columnheader" class={classOf(isNumber)} aria-sort={order}>
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
              <Cells columns={columns} row={row} />
            ))}
          </tbody>
          {total !== undefined && (
            <tfoot role="rowgroup">
              <Cells columns={columns} row={total} />
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

function Cells<Row>({ columns, row }: Pick<Properties<Row>, 'columns'> & { readonly row: Row }) {
  const main = columns.find(({ isMain = false }) => isMain);
  return (
    <tr role="row">
      {columns.map((column, index) => {
        const { name, shortName = name, isNumber, isZero, narrow, cell } = column;
        const content = <div class="content">{cell(row)}</div>;
        return index === 0 ? (
          <th scope="row" role="rowheader">
            {content}
          </th>
        ) : (
          <td
            role="cell"
            data-label={shortName}
            class={classOf(isNumber, isZero?.(row), column === main, narrow)}
          >
            {content}
          </td>
        );
      })}
    </tr>
  );
}

function classOf(
  isNumber = false,
  isZero = false,
  isMain = false,
  narrow?: Column<unknown>['narrow'],
): string | undefined {
  const kinds = [isNumber && 'number', isZero && 'zero', isMain && 'main'];
  const classes = [...kinds, narrow && `narrow-${narrow}`].filter(Boolean);
  return classes.length === 0 ? undefined : classes.join(' ');
}
