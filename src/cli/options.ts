import { InvalidArgumentError } from 'commander';
import { isCalendarDay } from '../common/time.js';

/** @throws InvalidArgumentError unless the text is plain digits */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be an integer.');
  }
  return value;
}

/** @throws InvalidArgumentError unless the text is a day */
export function parseDay(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError('It must be a day such as 2025-06-01.');
  return text;
}
