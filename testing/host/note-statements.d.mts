/** The prototypes of the connections of better-sqlite3 and of mysql2. */
interface Drivers {
  readonly sqlite: object;
  readonly mysql: object;
}

export function noteStatements(drivers: Drivers, note: (sql: string) => void): void;
