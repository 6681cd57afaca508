/** Returns the path of the first of these programs that is installed, or null. */
export function findProgram(names: readonly string[]): string | null;
