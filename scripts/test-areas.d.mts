export const EVERYWHERE: readonly string[];
export const AREAS: Readonly<Record<string, readonly string[]>>;
export const MOST: number;
export function fileOf(name: string): string;
export function contractTestsFor(changed: readonly string[]): string[];
