import type { SqlValue } from '../../platform/database/database.js';

/** Describes rows that are read in the order of one index, from a position. */
interface KeysetRows {
  /** Selected columns, which include those of the order. */
  readonly selected: string;
  /** Table, which can be followed by a hint that names the index. */
  readonly table: string;
  /** Condition on the columns of the index that precede the order. */
  readonly where: string;
  readonly order: readonly string[];
  readonly direction: 'ASC' | 'DESC';
  /** True to read the row at the position as well. */
  readonly isInclusive?: boolean;
  /** Further conditions on the rows, which begin with AND. */
  readonly also?: string;
}

/** Holds the values of a statement of a keyset, in the order of its parts. */
interface KeysetValues {
  readonly where: readonly SqlValue[];
  /** One value for each column of the order. */
  readonly position: readonly SqlValue[];
  readonly also?: readonly SqlValue[];
  readonly take: number;
}

/** Describes a range of an index and the order in which its rows are read. */
export interface KeysetRange {
  readonly condition: string;
  readonly order: string;
}

/**
 * Builds the statements for the next rows of an index, so that the cost depends neither on the
 * depth nor on the number of rows with the same date. Each column of the order has a range of its
 * own: first the rest of the rows that share the columns before it, last all others. For one range
 * with an OR, MariaDB reads the index from its beginning when it runs the prepared statement again.
 * @returns `union` selects up to `take` rows of each range, in no particular order, and `sql` the
 *   next `take` rows in the order of the index
 */
export function keysetOf(rows: KeysetRows) {
  const { selected, table, where, order, direction, isInclusive = false, also = '' } = rows;
  const ranges = rangesAfter(order, direction, isInclusive).map(({ condition, ...range }) => {
    return { ...range, condition: `${where} AND ${condition}${also}` };
  });
  const union = unionOf(`SELECT ${selected} FROM ${table}`, ranges);
  return {
    union,
    sql: `${union} ORDER BY ${inDirection(order, direction)} LIMIT ?`,
    valuesOfUnion,
    values: (values: KeysetValues) => [...valuesOfUnion(values), values.take],
  };
}

function valuesOfUnion({ where, position, also = [], take }: KeysetValues): SqlValue[] {
  return position.flatMap((_, index) => {
    return [...where, ...position.slice(0, position.length - index), ...also, take];
  });
}

/**
 * Returns the ranges after a position: for each column of the order, from the last to the first,
 * the rows that share the columns before it. The values of a range are those of the columns that
 * its condition names.
 */
export function rangesAfter(
  order: readonly string[],
  direction: 'ASC' | 'DESC',
  isInclusive = false,
): KeysetRange[] {
  const beyond = direction === 'ASC' ? '>' : '<';
  const ranges = order.map((column, index) => {
    const isLast = index === order.length - 1;
    const shared = order.slice(0, index).map((other) => `${other} = ?`);
    const last = `${column} ${beyond}${isLast && isInclusive ? '=' : ''} ?`;
    const condition = [...shared, last].join(' AND ');
    return { condition, order: inDirection(order.slice(index), direction) };
  });
  return ranges.reverse();
}

/** A place in an index of a vendor's transactions by a date. */
export interface DatedPlace {
  readonly date: string;
  readonly arrival: number;
}

/**
 * Returns the ranges of an index by date and arrival that are behind a place, up to and including
 * another one. No range has an OR, as above.
 */
export function rangesBetween(column: string, after: DatedPlace, to: DatedPlace) {
  if (after.date === to.date) {
    const values = [after.date, after.arrival, to.arrival];
    return [{ condition: `${column} = ? AND arrival > ? AND arrival <= ?`, values }];
  }
  return [
    { condition: `${column} = ? AND arrival > ?`, values: [after.date, after.arrival] },
    { condition: `${column} > ? AND ${column} < ?`, values: [after.date, to.date] },
    { condition: `${column} = ? AND arrival <= ?`, values: [to.date, to.arrival] },
  ];
}

/** Returns the union of ranges; each yields the number of rows that is its last value. */
export function unionOf(select: string, ranges: readonly KeysetRange[]): string {
  const parts = ranges.map(
    ({ condition, order }, index) =>
      `SELECT * FROM (${select} WHERE ${condition} ORDER BY ${order} LIMIT ?) range_${index + 1}`,
  );
  return parts.join(' UNION ALL ');
}

function inDirection(columns: readonly string[], direction: 'ASC' | 'DESC'): string {
  return columns.map((column) => `${column} ${direction}`).join(', ');
}
