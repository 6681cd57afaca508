import { codeOf, isError } from './is-error.js';
import { withSourcePositions } from './source-positions.js';

/** An unexpected error, as it is logged. */
export interface ErrorDescription {
  readonly error: string;
  /** From the operating system or a database driver. */
  readonly driverCode?: string;
  readonly cause?: ErrorDescription;
}

/** Describes an error. Messages of a database are left out, since they may quote values of a row. */
export function describeError(thrown: unknown): ErrorDescription {
  if (!isError(thrown)) return { error: `a thrown ${typeof thrown}` };
  const driverCode = codeOf(thrown);
  const { message, name, cause } = thrown;
  const stack = withSourcePositions(thrown.stack ?? '');
  const frames = stack.includes(message)
    ? stack.slice(stack.indexOf(message) + message.length)
    : '';
  return {
    error: isOfDatabase(thrown) ? `${name} (its message may quote data)${frames}` : stack,
    ...(driverCode === undefined ? {} : { driverCode }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

function isOfDatabase(error: Error): boolean {
  return (
    'sqlState' in error || 'sqlMessage' in error || (codeOf(error) ?? '').startsWith('SQLITE_')
  );
}
