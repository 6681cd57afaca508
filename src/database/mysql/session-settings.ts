import type { Connection } from 'mysql2';

/**
 * A server may have other defaults, or ignore the character set that the driver asks for. A long statement of a
 * command is not ended by a limit of the server.
 */
const SETTINGS = [
  "SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  'SET NAMES utf8mb4',
  `SET SESSION autocommit = 1, completion_type = 0, foreign_key_checks = 1, unique_checks = 1,
    sql_auto_is_null = 0, sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = 18446744073709551615,
    div_precision_increment = 4, time_zone = '+00:00'
    /*M!100101 , max_statement_time = 0 */
    /*!80000 , max_execution_time = 0 */`,
  // A statement must see what was committed while it waited for a lock.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE',
] as const;

/** Sets what a session can set for itself, on a new connection. Statements that are sent later run after it. */
export async function setSession(connection: Connection): Promise<void> {
  await Promise.all(SETTINGS.map((sql) => set(connection, sql)));
}

function set(connection: Connection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.query(sql, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
}
