import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isCalendarDay } from '../time.js';

/**
 * Checks on parameters as they were sent: text, for a repeated parameter is a list and no text.
 * Each message completes the sentence that the parameter's name begins.
 */

/** A date of the calendar, exactly year-month-day. */
export function IsCalendarDay(): PropertyDecorator {
  return ValidateBy({
    name: 'isCalendarDay',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isCalendarDay(value),
      defaultMessage: () => 'must be one calendar date in the form YYYY-MM-DD',
    },
  });
}

/** Not before another date of the same request; where that one is wrong itself, it alone is named. */
export function IsOnOrAfter(other: string): PropertyDecorator {
  return ValidateBy({
    name: 'isOnOrAfter',
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => {
        const earlier = new Map<string, unknown>(Object.entries(args?.object ?? {})).get(other);
        if (typeof value !== 'string' || typeof earlier !== 'string') return true;
        return !isCalendarDay(earlier) || !isCalendarDay(value) || value >= earlier;
      },
      defaultMessage: () => `must be on or after ${other}`,
    },
  });
}

/** A whole number as a query or a form sends it, or as JSON does. */
export type WholeNumber = string | number;

/** Plain digits in a range, both ends included: no sign, exponent, fraction or white space. */
export function IsWholeNumber(range: {
  readonly least: number;
  readonly most: number;
}): PropertyDecorator {
  return ValidateBy({
    name: 'isWholeNumber',
    validator: {
      validate: (value: unknown) =>
        isWholeNumber(value) && Number(value) >= range.least && Number(value) <= range.most,
      defaultMessage: () =>
        `must be one whole number in plain digits from ${range.least} to ${range.most}`,
    },
  });
}

/** One text, and no list of them. */
export function IsText(): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: (value: unknown) => typeof value === 'string',
      defaultMessage: () => 'must be one text',
    },
  });
}

/** An absolute address of the web. */
export function IsHttpUrl(longest: number): PropertyDecorator {
  return ValidateBy({
    name: 'isHttpUrl',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.isWellFormed() &&
        Array.from(value).length <= longest &&
        /^https?:\/\/[^\s]+$/i.test(value) &&
        URL.canParse(value),
      defaultMessage: () => `must be an http or https address of at most ${longest} characters`,
    },
  });
}

function isWholeNumber(value: unknown): value is WholeNumber {
  return typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value);
}
