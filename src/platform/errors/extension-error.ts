import { DomainError, StartError } from './domain-error.js';
import { isError } from './is-error.js';

/** Maximum number of characters of the message of a foreign error. */
const MAX_MESSAGE = 300;

/** An extension cannot be used. The message is one line for the operator. */
export class ExtensionError extends StartError {
  /** @param extension name of the extension, or what EXTENSIONS calls it */
  constructor(extension: string, problem: string) {
    super(`Extension ${extension}: ${problem}.`.replaceAll(/\s+/g, ' '));
  }
}

/**
 * Runs code of an extension.
 * @throws ExtensionError in place of an error of that code
 */
export async function usingExtension<Result>(
  extension: string,
  doing: string,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(extension, doing, error);
  }
}

/**
 * Runs code of an extension that returns no promise.
 * @throws ExtensionError in place of an error of that code
 */
export function callingExtension<Result>(
  extension: string,
  doing: string,
  work: () => Result,
): Result {
  try {
    return work();
  } catch (error) {
    throw failureOf(extension, doing, error);
  }
}

/** Returns the error for what an extension has thrown, which may be anything. */
export function failureOf(extension: string, doing: string, thrown: unknown): ExtensionError {
  if (isOwn(thrown)) return thrown;
  return new ExtensionError(extension, `${doing} failed: ${lineOf(thrown)}`);
}

/** An object of an extension may throw when its prototype is read. */
function isOwn(thrown: unknown): thrown is ExtensionError {
  try {
    return thrown instanceof ExtensionError;
  } catch {
    return false;
  }
}

/** Returns what a thrown value of an extension says, in one line. */
export function lineOf(thrown: unknown): string {
  const line = textOf(thrown).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}

function textOf(thrown: unknown): string {
  try {
    if (thrown instanceof StartError || thrown instanceof DomainError) return thrown.message;
    return isError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown);
  } catch {
    return 'an error that cannot be read';
  }
}
