/**
 * Notes the SQL of each statement that the database drivers receive, as it is sent.
 * @param drivers the prototypes of the connections of better-sqlite3 and of mysql2
 * @param note receives the SQL, without the quotes that TypeORM writes around names
 */
export function noteStatements({ sqlite, mysql }, note) {
  const noteSql = (sql) => note(sql.replaceAll(/[`"]/g, ''));
  const noting = (method) =>
    function (sql, ...more) {
      noteSql(typeof sql === 'string' ? sql : sql.sql);
      return method.call(this, sql, ...more);
    };
  sqlite.exec = noting(sqlite.exec);
  sqlite.prepare = withNotes(sqlite.prepare, noteSql);
  mysql.query = noting(mysql.query);
  mysql.execute = noting(mysql.execute);
  mysql.prepare = withNotesLater(mysql.prepare, noteSql);
}

/** Notes the runs of statements that SQLite has prepared. */
function withNotes(prepare, note) {
  return function (sql) {
    const statement = prepare.call(this, sql);
    for (const method of ['all', 'get', 'iterate', 'run']) {
      const run = statement[method];
      statement[method] = (...values) => {
        note(sql);
        return run.apply(statement, values);
      };
    }
    return statement;
  };
}

/** Notes the runs of statements that MySQL or MariaDB has prepared. */
function withNotesLater(prepare, note) {
  return function (options, done) {
    return prepare.call(this, options, (error, statement) => {
      if (error === null) {
        const { execute } = statement;
        statement.execute = (...values) => {
          note(statement.query);
          return execute.apply(statement, values);
        };
      }
      done(error, statement);
    });
  };
}
