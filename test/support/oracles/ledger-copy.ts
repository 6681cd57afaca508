import SqliteConnection from 'better-sqlite3';

/** Reads from the file that `follow` writes. */
export function readCopy<Row>(path: string, sql: string): Row[] {
  const connection = new SqliteConnection(path, { readonly: true, fileMustExist: true });
  try {
    return connection.prepare(sql).all() as Row[];
  } finally {
    connection.close();
  }
}

/** Changes the file in a way in which no follower does. */
export function writeToCopy(path: string, sql: string): void {
  const connection = new SqliteConnection(path, { fileMustExist: true });
  try {
    connection.exec(sql);
  } finally {
    connection.close();
  }
}

/** Returns the transactions of a copy as lines, ordered by id. */
export function transactionsInCopy(path: string): string[] {
  const sql = 'SELECT json FROM transactions ORDER BY transaction_id';
  return readCopy<{ json: string }>(path, sql).map(({ json }) => json);
}

/** Returns the lines of an NDJSON export, ordered by transaction id. */
export function byTransactionId(ndjson: string): string[] {
  const idOf = (line: string) => (JSON.parse(line) as { transaction_id: string }).transaction_id;
  const lines = ndjson.split('\n').filter((line) => line !== '');
  return lines.sort((left, right) =>
    Buffer.compare(Buffer.from(idOf(left)), Buffer.from(idOf(right))),
  );
}
