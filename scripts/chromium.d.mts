import type { Browser } from 'playwright-core';

export function findChromium(): string | null;
export function startChromium(executablePath: string): Promise<Browser>;
