import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly name: string;
  /** Money or a count: in one line, and at the right. */
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface Properties<Row> {
  readonly id?: string;
  /** For a screen reader. */
  readonly label: string;
  /** True for one that needs most of a wide screen. */
  readonly isWide?: boolean;
  /** The first is what a row is told apart by. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/**
 * A table that becomes a card for each row where it has no room for all its columns: no number is out
 * of sight. The style makes blocks of it then, so its parts say themselves what they are.
 */
export function Table<Row>({ id, label, isWide = false, columns, rows }: Properties<Row>) {
  return (
    <div class={isWide ? 'table wide' : 'table'} tabIndex={0} role="group" aria-label={label}>
      <table id={id} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ name, isNumber }) => (
              <th scope="col" role="columnheader" class={classOf(isNumber)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row">
              {columns.map((column, index) => (
                <Cell column={column} row={row} isHead={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({
  column: { name, isNumber, cell },
  row,
  isHead,
}: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHead: boolean;
}) {
  const content = <div class="content">{cell(row)}</div>;
  return isHead ? (
    <th scope="row" role="rowheader">
      {content}
    </th>
  ) : (
    <td role="cell" data-label={name} class={classOf(isNumber)}>
      {content}
    </td>
  );
}

function classOf(isNumber = false): string | undefined {
  return isNumber ? 'number' : undefined;
}
