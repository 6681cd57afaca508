import { UNIT_SECONDS } from '../values/time.js';

export interface LimitWindow {
  readonly requests: number;
  readonly seconds: number;
}

/** Lists windows that apply together, the shortest first. The list is empty for no limit. */
export type LimitWindows = readonly LimitWindow[];

const WINDOW = /^([1-9]\d{0,8})\/([1-9]\d{0,4})?([smhd])$/;
const MAX_SECONDS = 31 * 86_400;
const OFF = 'off';

/**
 * Parses windows such as `20/1s,600/1m`, or `off`.
 * @returns null if the text is neither, a window exceeds 31 days, or two have the same length
 */
export function parseLimitWindows(text: string): LimitWindows | null {
  if (text === OFF) return [];
  const windows: LimitWindow[] = [];
  for (const part of text.split(',')) {
    const [, requests, count = '1', unit = ''] = WINDOW.exec(part.trim()) ?? [];
    if (requests === undefined) return null;
    const seconds = Number(count) * (UNIT_SECONDS[unit] ?? 0);
    if (seconds > MAX_SECONDS || windows.some((window) => window.seconds === seconds)) {
      return null;
    }
    windows.push({ requests: Number(requests), seconds });
  }
  return windows.sort((left, right) => left.seconds - right.seconds);
}

/** Returns the text that parseLimitWindows parses to these windows. */
export function formatLimitWindows(windows: LimitWindows): string {
  if (windows.length === 0) return OFF;
  return windows.map((window) => `${window.requests}/${formatSeconds(window.seconds)}`).join(',');
}

/** Returns the length of a window in its largest unit: `1m` for 60 seconds. */
export function formatSeconds(seconds: number): string {
  const [unit = 's', size = 1] =
    Object.entries(UNIT_SECONDS).findLast(([, length]) => seconds % length === 0) ?? [];
  return `${seconds / size}${unit}`;
}
