import {
  IS_STRING,
  MAX_LENGTH,
  MIN_LENGTH,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { CENTS, parseDecimal } from '../../platform/values/money.js';
import { isCalendarDay } from '../../platform/values/time.js';
import { readCursor } from './feed-cursor.js';

/** Describes a value with the part of JSON Schema that the validators need. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer' | 'array';
  readonly items?: ValueSchema;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Holds the context of a validator. OpenAPI reads the limits of a value from it. */
export class Allowed {
  /**
   * Describes the values that a validator accepts.
   * @param says describes a valid value, as in the error message
   * @param isOptional true if a missing value is accepted, too
   */
  constructor(
    readonly says: string,
    readonly schema: ValueSchema,
    readonly isOptional = false,
  ) {}
}

/** Describes the decorators of class-validator that extensions use, by their names. */
const OF_LIBRARY: Readonly<Record<string, (length: unknown) => Allowed>> = {
  [IS_STRING]: () => new Allowed('a string', { type: 'string' }),
  [MIN_LENGTH]: (length) =>
    new Allowed(`at least ${String(length)} characters long`, { minLength: Number(length) }),
  [MAX_LENGTH]: (length) =>
    new Allowed(`at most ${String(length)} characters long`, { maxLength: Number(length) }),
};

/** A validator of a field, as class-validator stores it. */
interface StoredCheck {
  readonly name?: string;
  readonly context?: unknown;
  /** Arguments of the decorator. */
  readonly constraints?: readonly unknown[];
}

/** Returns what a validator of a field accepts; undefined if it is not described. */
export function allowedBy({ name = '', context, constraints }: StoredCheck): Allowed | undefined {
  return context instanceof Allowed ? context : OF_LIBRARY[name]?.(constraints?.[0]);
}

/**
 * Checks a parameter as it was sent: a string, or an array if the parameter was repeated. `says`
 * completes the error message `NAME must be …`, and describes the parameter in OpenAPI.
 */
interface Check {
  readonly name: string;
  readonly says: string;
  readonly schema: ValueSchema;
  /** True if the validator also accepts a missing parameter. */
  readonly isOptional?: true;
  readonly validate: (value: unknown, args?: ValidationArguments) => boolean;
}

/** Makes a custom validator for a check that this file does not have. */
export function checkedBy({ name, says, schema, isOptional, validate }: Check): PropertyDecorator {
  return ValidateBy(
    { name, validator: { validate, defaultMessage: () => `must be ${says}` } },
    { context: new Allowed(says, schema, isOptional) },
  );
}

/** Accepts a day of the calendar, such as `2025-06-01`. */
export function IsCalendarDay(): PropertyDecorator {
  return checkedBy({
    name: 'isCalendarDay',
    says: 'a date in the form YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    validate: (value) => typeof value === 'string' && isCalendarDay(value),
  });
}

/**
 * Accepts a date that is not before another date of the same request. If the other date is invalid,
 * only that date is reported.
 */
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

export type Bounds = Readonly<Record<'min' | 'max', number>>;
/** An integer is text in a query or a form, and a number in JSON. */
export type IntegerInput = string | number;

/**
 * Accepts digits only: no sign, exponent, fraction or white space. The range includes both ends.
 */
export function IsInteger({ min, max }: Bounds): PropertyDecorator {
  return checkedBy({
    name: 'isInteger',
    says: integerWords({ min, max }),
    schema: { type: 'integer', minimum: min, maximum: max },
    validate: (value) => isIntegerIn(value, { min, max }),
  });
}

/** Accepts a cursor of the feed of changes, whose meaning only the service that issued it knows. */
export function IsCursor(): PropertyDecorator {
  return checkedBy({
    name: 'isCursor',
    says: 'a cursor that an answer gave',
    schema: { type: 'string', pattern: '^[0-9]{1,16}([.][0-9]{1,16})?$' },
    validate: (value) => typeof value === 'string' && readCursor(value) !== null,
  });
}

/** Accepts a string of any length. The body of a request is limited as a whole. */
export function IsText(): PropertyDecorator {
  return checkedBy({
    name: 'isText',
    says: 'a string',
    schema: { type: 'string' },
    validate: (value) => typeof value === 'string',
  });
}

/** Accepts one of a few words, case-sensitive. */
export function IsOneOf(words: readonly string[]): PropertyDecorator {
  return checkedBy({
    name: 'isOneOf',
    says: words.length === 1 ? words.join() : `one of ${words.join(', ')}`,
    schema: { type: 'string', enum: words },
    validate: (value) => words.some((word) => word === value),
  });
}

/** Accepts some of a few words, with commas between them; case-sensitive. */
export function IsListOf(words: readonly string[]): PropertyDecorator {
  const word = `(${words.join('|')})`;
  const list = `^${word}(,${word})*$`;
  return checkedBy({
    name: 'isListOf',
    says: `some of ${words.join(', ')}, with commas between them`,
    schema: { type: 'string', pattern: list },
    validate: (value) => typeof value === 'string' && new RegExp(list).test(value),
  });
}

/** A list is a list in JSON, and text with commas in a form. */
export type WordsInput = string | readonly (string | number)[];

/**
 * Accepts a list of words or whole numbers, or text with commas between them. What the words may be
 * is left to the service.
 * @param items schema of an item of the list
 */
export function IsWords(items: ValueSchema): PropertyDecorator {
  const isWord = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value);
  return checkedBy({
    name: 'isWords',
    says: 'a list, or text with commas',
    schema: { type: 'array', items },
    validate: (value) => typeof value === 'string' || (Array.isArray(value) && value.every(isWord)),
  });
}

/** Maximum number of ids in a list. */
const MAX_IDS = 100;
const ID_LIST = `^[0-9]{1,16}(,[0-9]{1,16}){0,${MAX_IDS - 1}}$`;

/** Accepts ids with commas between them. */
export function IsIdList(): PropertyDecorator {
  return checkedBy({
    name: 'isIdList',
    says: `1 to ${MAX_IDS} ids with commas between them`,
    schema: { type: 'string', pattern: ID_LIST },
    validate: (value) =>
      typeof value === 'string' &&
      new RegExp(ID_LIST).test(value) &&
      value.split(',').every((id) => Number.isSafeInteger(Number(id))),
  });
}

/** Accepts a string of 1 to 255 characters. */
export function IsShortText(): PropertyDecorator {
  return checkedBy({
    name: 'isShortText',
    says: 'a string of 1 to 255 characters',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    validate: (value) =>
      typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= 255,
  });
}

/** Accepts an amount of money as decimal text with at most two decimals, such as `47.00`. */
export function IsAmount(): PropertyDecorator {
  return checkedBy({
    name: 'isAmount',
    says: 'an amount such as 47.00',
    schema: { type: 'string', pattern: '^-?[0-9]{1,13}(\\.[0-9]{1,2})?$' },
    validate: (value) => typeof value === 'string' && parseDecimal(value, CENTS) !== null,
  });
}

/**
 * Accepts an amount that is not below another one of the same request. If the other one is invalid,
 * only that one is reported.
 */
export function IsAtLeast(other: string): PropertyDecorator {
  return checkedBy({
    name: 'isAtLeast',
    says: `at least ${other}`,
    schema: {},
    validate: (value, args) => {
      const least = new Map<string, unknown>(Object.entries(args?.object ?? {})).get(other);
      if (typeof value !== 'string' || typeof least !== 'string') return true;
      const [most, bound] = [parseDecimal(value, CENTS), parseDecimal(least, CENTS)];
      return most === null || bound === null || most >= bound;
    },
  });
}

/** Accepts a URL with http or https. */
export function IsHttpUrl(maxLength: number): PropertyDecorator {
  return checkedBy({
    name: 'isHttpUrl',
    says: httpUrlWords(maxLength),
    schema: {
      type: 'string',
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
      maxLength,
    },
    validate: (value) => isHttpUrl(value, maxLength),
  });
}

export function isHttpUrl(value: unknown, maxLength: number): value is string {
  return (
    typeof value === 'string' &&
    value.isWellFormed() &&
    Array.from(value).length <= maxLength &&
    /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) &&
    URL.canParse(value)
  );
}

export function httpUrlWords(maxLength: number): string {
  return `an http or https URL of at most ${maxLength} characters`;
}

export function isIntegerIn(value: unknown, { min, max }: Bounds): value is IntegerInput {
  return isInteger(value) && Number(value) >= min && Number(value) <= max;
}

export function integerWords({ min, max }: Bounds): string {
  return `an integer from ${min} to ${max}`;
}

function isInteger(value: unknown): value is IntegerInput {
  return typeof value === 'string' ? /^\d+$/.test(value) : Number.isSafeInteger(value);
}

/**
 * Reads the id in a path.
 * @returns 0, which no record has, if the text is no id
 */
export function pathIdOf(text: string): number {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : 0;
}
