import { StatementScope } from './statement-scope.js';

/** Work of an extension did not end within its time. */
class WorkTimeoutError extends Error {
  constructor(ms: number) {
    super(`it did not end within ${ms / 1_000} seconds`);
    this.name = 'WorkTimeoutError';
  }
}

/** Permits statements until the work has ended, so that none runs outside of its transaction. */
class EndingScope extends StatementScope {
  hasEnded = false;

  override shown(sql: string): string {
    if (this.hasEnded) throw new Error('The work of this statement has ended.');
    return sql;
  }
}

/**
 * Does work of an extension inside a transaction, which other writes may wait for. When it has
 * ended, or its time is over, it can send no more statements.
 * @throws WorkTimeoutError if it does not end within this time, so that its transaction is rolled
 *   back
 */
export async function limitedWork(ms: number, work: () => Promise<void>): Promise<void> {
  const scope = new EndingScope();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new WorkTimeoutError(ms));
    }, ms);
  });
  try {
    await Promise.race([scope.run(work), late]);
  } finally {
    scope.hasEnded = true;
    clearTimeout(timer);
  }
}
