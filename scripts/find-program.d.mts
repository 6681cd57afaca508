/** Where the first of these names of one program is that there is. */
export function findProgram(names: readonly string[]): string | null;
