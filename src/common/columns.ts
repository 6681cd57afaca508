/**
 * Describes one column of a list that is sent as a file. Its kind decides how each file format
 * writes the value:
 * - `text`: comes from users, so a spreadsheet must not run it as a formula
 * - `word`: the service's own word or number, written unchanged
 * - `number`: a whole number
 * - `money`: cents
 * - `date-time`: UTC, as `2025-06-01 18:03:11`
 */
export type Column<Row> =
  | ColumnOf<Row, 'text', string>
  | ColumnOf<Row, 'word', string>
  | ColumnOf<Row, 'number', number>
  | ColumnOf<Row, 'money', number | bigint>
  | ColumnOf<Row, 'date-time', string>;

interface ColumnOf<Row, Kind extends string, Value> {
  readonly name: string;
  readonly kind: Kind;
  /** Returns null if the row has no value. */
  readonly valueOf: (row: Row) => Value | null;
}
