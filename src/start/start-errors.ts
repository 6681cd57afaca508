import { describeError } from '../platform/errors/describe-error.js';
import { DomainError, StartError } from '../platform/errors/domain-error.js';
import { codeOf, isError } from '../platform/errors/is-error.js';
import { shownLines, shownText } from '../platform/values/shown-text.js';
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { extensionsIn } from '../config/settings.js';
import { ExtensionError, lineOf } from '../platform/errors/extension-error.js';
import { findExtension } from './extensions/find-extension.js';
import { loadEnvironment, loadSettings } from './load-settings.js';
import { deniedPrivilege } from '../platform/database/mysql/denied-privilege.js';

/** Messages for error codes of the drivers and the operating system. */
const HINTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'DATABASE_URL: the connection to this host and port was refused.',
  ENOTFOUND: 'DATABASE_URL: this host is unknown.',
  ETIMEDOUT: 'DATABASE_URL: the database does not answer.',
  // MariaDB sends the same code to a user who must connect with TLS.
  ER_ACCESS_DENIED_ERROR:
    'DATABASE_URL: the database rejects this user or password, or accepts only encrypted connections (DATABASE_TLS_CA).',
  // A user with access to the database gets this code only for temporary tables, which dry runs
  // use.
  ER_DBACCESS_DENIED_ERROR:
    'DATABASE_URL: the user may not use this database, or lacks the privilege CREATE TEMPORARY TABLES, which import --dry-run needs.',
  // The message of this server is not in English; otherwise missingPrivilege explains the error.
  ER_TABLEACCESS_DENIED_ERROR: 'DATABASE_URL: the user lacks a privilege on the database.',
  ER_SECURE_TRANSPORT_REQUIRED: 'DATABASE_TLS_CA: the database accepts only encrypted connections.',
  HANDSHAKE_NO_SSL_SUPPORT: 'DATABASE_TLS_CA: the database has no TLS certificate.',
  HANDSHAKE_SSL_ERROR:
    "DATABASE_TLS_CA: the database's certificate is not for its host, or not signed by these authorities.",
  // A server that is read-only is no error for a service whose schema is up to date.
  ER_OPTION_PREVENTS_STATEMENT:
    'DATABASE_URL: the server can only be read (read_only), so its schema cannot be updated; name the server that takes writes.',
  // A table, or the disk, of MySQL and MariaDB.
  ER_RECORD_FILE_FULL: 'DATABASE_URL: the database server has no space left.',
  ER_DISK_FULL: 'DATABASE_URL: the database server has no space left.',
  SQLITE_FULL: 'DATABASE_URL: the disk of the database has no space left.',
  ER_BAD_DB_ERROR: 'DATABASE_URL: this database does not exist on the server; create it first.',
  SQLITE_CANTOPEN: 'DATABASE_URL: the file cannot be opened or created.',
  SQLITE_NOTADB: 'DATABASE_URL: the file is not an SQLite database.',
  EADDRINUSE:
    'PORT: another program already uses this port; choose another, for example PORT=3100.',
  EADDRNOTAVAIL: 'HOST: this machine does not have this address; use for example HOST=127.0.0.1.',
  EACCES: 'PORT or DATABASE_URL: this user is not allowed to open it.',
};

const DATA_PRIVILEGES = 'SELECT, INSERT, UPDATE, DELETE';
const SCHEMA_PRIVILEGES = 'CREATE, ALTER, INDEX';

/**
 * Runs the start. An error that the operator can fix is reported in one line, any other with its
 * stack.
 * @param exitStatus exit status of the process after an error
 */
export async function reportingStartErrors(
  start: () => Promise<void>,
  exitStatus = 1,
): Promise<void> {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`${shownLines(describe(error))}\n`);
    process.exit(exitStatus);
  }
}

function describe(error: unknown): string {
  if (error instanceof StartError || error instanceof DomainError) return error.message;
  return (
    missingPrivilege(error) ??
    HINTS[codeOf(error) ?? ''] ??
    problemOfExtension(error) ??
    unforeseen(error)
  );
}

/**
 * Returns a message with the GRANT that a user of MySQL or MariaDB needs, or null for any other
 * error.
 */
function missingPrivilege(error: unknown): string | null {
  const denied = deniedPrivilege(error);
  const { database } = loadSettings();
  if (denied === null || database.dialect !== 'mysql') return null;
  const user = shownText(denied.user);
  const privileges = denied.privilege.includes(',') ? 'privileges' : 'privilege';
  const lacks = `DATABASE_URL: the user ${user} lacks the ${privileges} ${denied.privilege} on the database`;
  const to = `ON \`${shownText(database.database)}\`.* TO ${user}`;
  if (!denied.isForSchema) return `${lacks}: GRANT ${DATA_PRIVILEGES} ${to}`;
  return `${lacks}, whose schema is not up to date: GRANT ${DATA_PRIVILEGES}, ${SCHEMA_PRIVILEGES} ${to}, or run "npm run cli -- migrate" once with a user who has them.`;
}

/**
 * Returns a message that names the extension whose code threw the error, or null if there is none
 * in its stack.
 */
function problemOfExtension(error: unknown): string | null {
  const stack = stackOf(error);
  for (const given of extensionsIn(loadEnvironment())) {
    const { folder } = findExtension(given);
    // Frames have resolved links, and plain paths for CommonJS.
    for (const path of [`${folder}/`, `${realpathSync(folder)}/`]) {
      const [, place] = stack.split(stack.includes(path) ? path : pathToFileURL(path).href);
      // A frame of the stack ends with the path in the folder, the line and the column.
      const [, file = ''] = /^([^\s)]+):\d+/.exec(place ?? '') ?? [];
      if (file !== '') return new ExtensionError(given, `${lineOf(error)} (${file})`).message;
    }
  }
  return null;
}

/** Returns the stack of an error; an error of an extension may have another value there. */
function stackOf(error: unknown): string {
  try {
    const stack: unknown = isError(error) ? error.stack : '';
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/** Describes an unexpected error without the database's message, which may quote data. */
function unforeseen(error: unknown): string {
  const { driverCode, error: text } = describeError(error);
  return driverCode === undefined ? text : `${driverCode}: ${text}`;
}
