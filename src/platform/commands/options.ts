import { InvalidArgumentError } from 'commander';
import { isCalendarDay, UNIT_SECONDS } from '../values/time.js';
import { integerWords, isIntegerIn, type Bounds } from '../../api/validation/validators.js';

/** Options of a command that can print JSON. */
export interface JsonOption {
  readonly json: boolean;
}

/**
 * Parses a whole number of 0 or more, for an option of a command.
 * @throws InvalidArgumentError unless the text is plain digits
 */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be an integer.');
  }
  return value;
}

/** Makes a parser that throws InvalidArgumentError unless the text is an integer in a range. */
export function integerParser(range: Bounds): (text: string) => number {
  return (text) => {
    if (isIntegerIn(text, range)) return Number(text);
    throw new InvalidArgumentError(`It must be ${integerWords(range)}.`);
  };
}

/**
 * Parses a day such as `2025-06-01`, for an option of a command.
 * @throws InvalidArgumentError unless the text is a day
 */
export function parseDay(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError('It must be a day such as 2025-06-01.');
  return text;
}

/** @returns seconds */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = UNIT_SECONDS[unit];
  if (length === undefined) {
    throw new InvalidArgumentError('It must be a duration such as 90s, 30m, 24h or 7d.');
  }
  return Number(count) * length;
}
