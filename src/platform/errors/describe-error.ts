import { codeOf, isError } from './is-error.js';
import { withSourcePositions } from './source-positions.js';

/** Describes an unexpected error for the log. */
export interface ErrorDescription {
  readonly error: string;
  /** Error code of the operating system or a database driver. */
  readonly driverCode?: string;
  readonly cause?: ErrorDescription;
}

/**
 * Describes an error for the log. Messages of a database are left out, since they may quote values
 * of a row.
 * @param mayQuote returns true for an error whose message is left out
 */
export function describeError(
  thrown: unknown,
  mayQuote: (error: Error) => boolean = isOfDatabase,
): ErrorDescription {
  if (!isError(thrown)) return { error: `a thrown ${typeof thrown}` };
  const driverCode = codeOf(thrown);
  const { message, name, cause } = thrown;
  const stack = withSourcePositions(thrown.stack ?? '');
  const frames = stack.includes(message)
    ? stack.slice(stack.indexOf(message) + message.length)
    : '';
  return {
    error: mayQuote(thrown) ? `${name} (its message may quote data)${frames}` : stack,
    ...(driverCode === undefined ? {} : { driverCode }),
    ...(cause === undefined ? {} : { cause: describeError(cause, mayQuote) }),
  };
}

function isOfDatabase(error: Error): boolean {
  return (
    'sqlState' in error || 'sqlMessage' in error || (codeOf(error) ?? '').startsWith('SQLITE_')
  );
}
