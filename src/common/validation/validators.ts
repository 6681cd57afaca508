import { ValidateBy, type ValidationArguments } from 'class-validator';
import { isCalendarDay } from '../time.js';
import { Allowed, type ValueSchema } from './value-schema.js';

/**
 * Checks on parameters as they were sent: text, for a repeated parameter is a list and no text.
 * Each says what a value must be: in the sentence of a failure, which the parameter's name begins, and
 * beside its schema in the documents of the interface.
 */
interface Check {
  readonly name: string;
  /** `must be …`. */
  readonly says: string;
  readonly schema: ValueSchema;
  readonly validate: (value: unknown, args?: ValidationArguments) => boolean;
}

/** A check of one's own, for the modules that need another. */
export function checkedBy({ name, says, schema, validate }: Check): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate, defaultMessage: () => `must be ${says}` } },
    { context: new Allowed(says, schema) },
  );
}

/** A date of the calendar, exactly year-month-day. */
export function IsCalendarDay(): PropertyDecorator {
  return checkedBy({
    name: 'isCalendarDay',
    says: 'one calendar date in the form YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    validate: (value) => typeof value === 'string' && isCalendarDay(value),
  });
}

/** Not before another date of the same request; where that one is wrong itself, it alone is named. */
export function IsOnOrAfter(other: string): PropertyDecorator {
  return checkedBy({
    name: 'isOnOrAfter',
    says: `on or after ${other}`,
    schema: {},
    validate: (value, args) => {
      const earlier = new Map<string, unknown>(Object.entries(args?.object ?? {})).get(other);
      if (typeof value !== 'string' || typeof earlier !== 'string') return true;
      return !isCalendarDay(earlier) || !isCalendarDay(value) || value >= earlier;
    },
  });
}

/** A whole number as a query or a form sends it, or as JSON does. */
export type WholeNumber = string | number;

/** Plain digits in a range, both ends included: no sign, exponent, fraction or white space. */
export function IsWholeNumber({
  least,
  most,
}: {
  readonly least: number;
  readonly most: number;
}): PropertyDecorator {
  return checkedBy({
    name: 'isWholeNumber',
    says: `one whole number in plain digits from ${least} to ${most}`,
    schema: { type: 'integer', minimum: least, maximum: most },
    validate: (value) => isWholeNumber(value) && Number(value) >= least && Number(value) <= most,
  });
}

/** One text, and no list of them. */
export function IsText(): PropertyDecorator {
  return checkedBy({
    name: 'isText',
    says: 'one text',
    schema: { type: 'string' },
    validate: (value) => typeof value === 'string',
  });
}

/** One of a few words, as they are written. */
export function IsOneOf(words: readonly string[]): PropertyDecorator {
  return checkedBy({
    name: 'isOneOf',
    says: words.join(', '),
    schema: { type: 'string', enum: words },
    validate: (value) => words.some((word) => word === value),
  });
}

/** An absolute address of the web. */
export function IsHttpUrl(longest: number): PropertyDecorator {
  return checkedBy({
    name: 'isHttpUrl',
    says: `an http or https address of at most ${longest} characters`,
    schema: {
      type: 'string',
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
      maxLength: longest,
    },
    validate: (value) =>
      typeof value === 'string' &&
      value.isWellFormed() &&
      Array.from(value).length <= longest &&
      /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) &&
      URL.canParse(value),
  });
}

function isWholeNumber(value: unknown): value is WholeNumber {
  return typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value);
}
