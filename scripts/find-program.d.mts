/** The path of the first of these programs that is installed. */
export function findProgram(names: readonly string[]): string | null;
