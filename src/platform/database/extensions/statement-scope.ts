import { AsyncLocalStorage } from 'node:async_hooks';

// oxlint-disable-next-line house/nothing-lasts -- each scope lasts as long as the work that runs in it
const SCOPES = new AsyncLocalStorage<StatementScope>();

/** Work whose statements are changed or refused, by whichever way it sends them. */
export abstract class StatementScope {
  /**
   * Returns the statement as it runs in this scope.
   * @throws Error if the work must not send it
   */
  abstract shown(sql: string): string;

  run<Result>(work: () => Result): Result {
    return SCOPES.run(this, work);
  }
}

/** Returns the scope of the current work, if it has one. */
export function runningScope(): StatementScope | undefined {
  return SCOPES.getStore();
}

/** Returns a statement as it runs in the current scope: without one, it runs unchanged. */
export function shownSql(sql: string): string {
  return SCOPES.getStore()?.shown(sql) ?? sql;
}
