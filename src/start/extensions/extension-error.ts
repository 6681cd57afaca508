import { isError } from '../../platform/errors/is-error.js';
import type { InstalledExtension } from '../../feature.js';
import { StartError } from '../../platform/errors/domain-error.js';

/** Maximum number of characters of the message of a foreign error. */
const MAX_MESSAGE = 300;

/** An extension cannot be used. The message is one line for the operator. */
export class ExtensionError extends StartError {
  /** @param extension name of the extension, or what EXTENSIONS calls it */
  constructor(extension: string, problem: string) {
    super(`Extension ${extension}: ${problem}.`);
  }
}

/**
 * Runs code of an extension.
 * @throws ExtensionError in place of an error of that code
 */
export async function usingExtension<Result>(
  extension: string,
  doing: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new ExtensionError(extension, `${doing} failed: ${lineOf(error)}`);
  }
}

/** Returns what an error of an extension says, in one line. */
export function lineOf(error: unknown): string {
  const message = isError(error) ? `${error.name}: ${error.message}` : String(error);
  const line = message.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}

/**
 * Waits for Nest to create the services.
 * @throws ExtensionError if Nest cannot create a part of the module of an extension
 */
export async function creatingParts<Result>(
  extensions: readonly InstalledExtension[],
  created: Promise<Result>,
): Promise<Result> {
  try {
    return await created;
  } catch (error) {
    if (!isError(error)) throw error;
    const [line = ''] = error.message.split('\n');
    // Messages of Nest name the module of the part.
    const words = line.split(/\W+/);
    const owner = extensions.find(({ module }) => words.includes(module.name));
    if (owner === undefined) throw error;
    throw new ExtensionError(owner.declaration.name, line.replace(/\.$/, ''));
  }
}
