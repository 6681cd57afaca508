import type { ComponentChildren } from 'preact';
import { DateTime, Money, numberText } from './values.view.js';

/** A column of a table. */
export interface Column<Row> {
  readonly name: string;
  /** Content of the header cell; the name by default. */
  readonly head?: ComponentChildren;
  /** Order of the rows by this column. */
  readonly order?: 'ascending' | 'descending' | undefined;
  /** Aligns the cells to the right and never wraps them. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

/** Returns a column of numbers, or of other short values that are compared with each other. */
export function numbers<Row>(name: string, cell: Column<Row>['cell']): Column<Row> {
  return { name, isNumber: true, cell };
}

/** Returns a column of whole numbers, with their digits grouped. */
export function counts<Row>(name: string, countOf: (row: Row) => number): Column<Row> {
  return numbers(name, (row) => numberText(countOf(row)));
}

/** Returns a column of amounts of money. */
export function amounts<Row>(name: string, centsOf: (row: Row) => number | bigint): Column<Row> {
  return numbers(name, (row) => <Money cents={centsOf(row)} />);
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
  /** Formats a table with many columns. */
  readonly isWide?: boolean;
  /** Formats a table with few columns, all of numbers except for the first. */
  readonly isSmall?: boolean;
  /** Further class, for which the style sheet has rules. */
  readonly class?: string;
  /** Columns of the table; the first one is the row header. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Text in place of a table without rows. */
  readonly empty?: string;
  /** Row below the others. */
  readonly total?: Row;
}

/**
 * Shows a table that the style sheet turns into one card per row on a narrow screen. This changes
 * `display`, which would remove the table semantics, so each part has an explicit role.
 */
export function Table<Row>(table: Properties<Row>) {
  const { id, label, columns, rows, total, isWide = false, isSmall = false } = table;
  if (rows.length === 0 && table.empty !== undefined) return <p class="empty">{table.empty}</p>;
  const frame = ['table', isWide && 'wide', isSmall && 'small', table.class];
  return (
    <div class={frame.filter(Boolean).join(' ')} tabIndex={0} role="group" aria-label={label}>
      <table id={id} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, head = name, order, isNumber }) => (
              <th scope="col" role="columnheader" class={classOf(isNumber)} aria-sort={order}>
                {head}
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
  );
}

function Cells<Row>({ columns, row }: Pick<Properties<Row>, 'columns'> & { readonly row: Row }) {
  return (
    <tr role="row">
      {columns.map(({ name, isNumber, cell }, index) => {
        const content = <div class="content">{cell(row)}</div>;
        return index === 0 ? (
          <th scope="row" role="rowheader">
            {content}
          </th>
        ) : (
          <td role="cell" data-label={name} class={classOf(isNumber)}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

function classOf(isNumber = false): string | undefined {
  return isNumber ? 'number' : undefined;
}
