import { codeOf, isError } from './is-error.js';

/** What the log tells of an error that nobody foresaw. */
export interface Fault {
  readonly error: string;
  /** The code that the system or a driver gave it. */
  readonly driverCode?: string;
  readonly cause?: Fault;
}

/**
 * Describes an error without what it says itself where that may quote data: the messages of a
 * database repeat values of the row that it refused.
 */
export function describeFault(thrown: unknown): Fault {
  if (!isError(thrown)) return { error: `a thrown ${typeof thrown}` };
  const driverCode = codeOf(thrown);
  const { stack = '', message, name, cause } = thrown;
  const frames = stack.includes(message)
    ? stack.slice(stack.indexOf(message) + message.length)
    : '';
  return {
    error: isOfDatabase(thrown) ? `${name} (its message may quote data)${frames}` : stack,
    ...(driverCode === undefined ? {} : { driverCode }),
    ...(cause === undefined ? {} : { cause: describeFault(cause) }),
  };
}

function isOfDatabase(error: Error): boolean {
  return (
    'sqlState' in error || 'sqlMessage' in error || (codeOf(error) ?? '').startsWith('SQLITE_')
  );
}
