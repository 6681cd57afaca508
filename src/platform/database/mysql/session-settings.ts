import type { Connection } from 'mysql2';

/** The minimum that servers support. A transaction that exceeds it is repeated. */
const LOCK_WAIT_SECONDS = 1;
const ALL_ROWS = '18446744073709551615';

/**
 * Returns statements that set everything a session can set for itself: a server may have other
 * defaults, or ignore the character set that the driver requests. Each server runs only its own
 * conditional comment.
 * @param statementMs the time limit of a statement and of a wait for a lock; null for commands,
 *   which have none
 */
export function sessionSettings(statementMs: number | null): readonly string[] {
  const lockWait = statementMs === null ? '' : `, innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`;
  const limitMs = statementMs ?? 0;
  return [
    `SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      character_set_client = utf8mb4, character_set_connection = utf8mb4, character_set_results = utf8mb4,
      autocommit = 1, completion_type = 0, foreign_key_checks = 1, unique_checks = 1, sql_auto_is_null = 0,
      sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = ${ALL_ROWS}, div_precision_increment = 4,
      time_zone = '+00:00'${lockWait}
      /*M!100101 , max_statement_time = ${limitMs / 1000}, default_regex_flags = '' */
      /*!80000 , max_execution_time = ${limitMs} */`,
    // A statement must see what was committed while it waited for a lock.
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE',
  ];
}

/**
 * Migrations change tables in ways that need a copy. A version without the variable rejects this
 * statement, which changes nothing.
 */
const ALTER_ANYHOW = "/*M!100307 SET SESSION alter_algorithm = 'DEFAULT' */";

/**
 * Applies the settings to a new connection of a command or a migration. Statements that are sent
 * later run after them.
 */
export function setSession(connection: Connection): void {
  for (const sql of [...sessionSettings(null), ALTER_ANYHOW]) {
    // If the connection is lost, the next statement fails, too.
    connection.query(sql, () => undefined);
  }
}
