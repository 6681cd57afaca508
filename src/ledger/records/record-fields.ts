import { isRecord } from '../../platform/values/is-record.js';
import { CENTS, parseDecimal, wholeDigits } from '../../platform/values/money.js';
import { shownValue } from '../../platform/values/shown-text.js';
import { isCalendarDay, missingDayIn, parseDateTime } from '../../platform/values/time.js';
import { TEXT, type TextRule, textProblem } from '../files/text-rule.js';

const MAX_TEXTS = 10;

/**
 * Collects the faults of a record. It keeps the texts of the first 10 and counts the others, so
 * that memory is bounded.
 */
export class Faults {
  private readonly first: string[] = [];
  private count = 0;

  /** @param noun singular name of what is counted */
  constructor(private readonly noun = 'fault') {}

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /**
   * Adds a fault.
   * @param textOf called only if the text is kept
   */
  add(textOf: () => string): void {
    this.count += 1;
    if (this.first.length < MAX_TEXTS) this.first.push(textOf());
  }

  /**
   * Returns the texts in the order in which the faults were found, and the number of the others.
   */
  texts(): string[] {
    const rest = this.count - this.first.length;
    const more = `and ${rest.toLocaleString('en')} more ${this.noun}${rest === 1 ? '' : 's'}`;
    return rest === 0 ? [...this.first] : [...this.first, more];
  }
}

/** Matches a URL scheme as browsers recognize it: they ignore leading spaces. */
const SCHEME = /^\s*[a-z][a-z\d+.-]*:/i;
const OF_THE_WEB = /^https?:/i;

export const WEB_ADDRESS = 'an http or https address';

/**
 * Returns true for an address with a scheme other than http or https, such as `javascript:` or
 * `data:`.
 */
export function leavesTheWeb(address: string): boolean {
  return SCHEME.test(address) && !OF_THE_WEB.test(address);
}

const MIN_ID = 1;

const DATE_TIME = 'an ISO 8601 date-time with an offset, such as 2025-06-01T14:03:11-04:00';
const EMPTY_DATE = /^(?:(?:0000-00-00|-0001-11-30)(?:[T ].*)?)?$/i;
const CALENDAR_DATE =
  'a calendar date in the form YYYY-MM-DD, from the year 1000, such as 2025-06-01';

type Sign = 'any' | 'zero_or_more' | 'zero_or_less';

/**
 * Reads the fields of one record by name and collects faults as `path: what it must be`. After a
 * fault it returns a placeholder and continues, so that all faults are found. Use the values only
 * if `faults` is empty. It checks lengths first, so that a value that is too long is cheap to
 * reject.
 */
export class RecordFields {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    readonly faults = new Faults(),
    private readonly path = '',
  ) {}

  fault(name: string, problem: string): void {
    this.faults.add(() => `${this.path}${name}: ${problem}`);
  }

  /** Reads text that complies with a rule. */
  text(name: string, rule: TextRule = TEXT): string {
    return this.optionalText(name, rule) ?? this.missing(name, 'text', '');
  }

  optionalText(name: string, rule: TextRule = TEXT): string | null {
    const value = this.optionalAnyText(name);
    const problem = value === null ? null : textProblem(value, rule);
    return problem === null ? value : this.mustBe(name, problem);
  }

  /** Reads text that may be a link: an http or https address, or text without a scheme. */
  optionalWebAddress(name: string, rule: TextRule): string | null {
    const value = this.optionalText(name, rule);
    return value !== null && leavesTheWeb(value) ? this.mustBe(name, WEB_ADDRESS) : value;
  }

  /** Reads text of any length and with any characters. The caller makes it comply with its rule. */
  anyText(name: string): string {
    return this.optionalAnyText(name) ?? this.missing(name, 'text', '');
  }

  optionalAnyText(name: string): string | null {
    const value = this.present(name);
    if (value === null || typeof value === 'string') return value;
    return this.mustBe(name, 'text');
  }

  /**
   * Reads text that matches a pattern.
   * @param expected description of the pattern
   */
  matching(name: string, pattern: RegExp, expected: string): string {
    const value = this.optionalAnyText(name);
    if (value === null) return this.missing(name, expected, '');
    const problem = pattern.test(value) ? textProblem(value, TEXT) : expected;
    if (problem !== null) this.mustBe(name, problem);
    return value;
  }

  /** Reads an integer of 1 or more. */
  id(name: string): number {
    return this.integer(name, MIN_ID);
  }

  optionalId(name: string): number | null {
    return this.optionalInteger(name, MIN_ID);
  }

  integer(name: string, min = 0, max: number = Number.MAX_SAFE_INTEGER): number {
    return this.optionalInteger(name, min, max) ?? this.missing(name, 'a whole number', min);
  }

  optionalInteger(name: string, min = 0, max: number = Number.MAX_SAFE_INTEGER): number | null {
    const value = this.present(name);
    if (value === null) return null;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
      const isTooLarge = typeof value === 'number' && value > max;
      const isOpen = max === Number.MAX_SAFE_INTEGER && !isTooLarge;
      const upTo = isOpen ? `${min} or more` : `${min} to ${max}`;
      return this.mustBe(name, `a whole number, ${upTo}`);
    }
    return value;
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? this.missing(name, 'true or false', false);
  }

  optionalFlag(name: string): boolean | null {
    const value = this.present(name);
    if (value === null || typeof value === 'boolean') return value;
    return this.mustBe(name, 'true or false');
  }

  choice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const word = this.optionalChoice(name, words);
    return word ?? this.missing(name, words.join(' or '), words[0]);
  }

  optionalChoice<Word extends string>(name: string, words: readonly Word[]): Word | null {
    const value = this.present(name);
    if (value === null) return null;
    for (const word of words) if (word === value) return word;
    return this.mustBe(name, words.join(' or '));
  }

  /** Reads an amount of money, in cents. */
  money(name: string, sign: Sign = 'any'): number {
    return this.optionalMoney(name, sign) ?? this.missing(name, decimalText(CENTS), 0);
  }

  optionalMoney(name: string, sign: Sign = 'any'): number | null {
    return this.optionalDecimal(name, CENTS, sign);
  }

  /**
   * Reads decimal text with at most `places` decimal places, as an integer in the smallest unit.
   */
  optionalDecimal(name: string, places: number, sign: Sign = 'any'): number | null {
    const value = this.present(name);
    if (value === null) return null;
    const units = typeof value === 'string' ? parseDecimal(value, places) : null;
    if (units === null) return this.mustBe(name, decimalProblem(value, places));
    if (sign === 'zero_or_more' && units < 0) return this.mustBe(name, 'zero or more');
    if (sign === 'zero_or_less' && units > 0) return this.mustBe(name, 'zero or less');
    return units;
  }

  /** Reads a date-time and converts it to UTC. */
  dateTime(name: string): string {
    const value = this.present(name);
    if (value === null) return this.missing(name, DATE_TIME, '');
    const dateTime = typeof value === 'string' ? parseDateTime(value) : null;
    return dateTime ?? this.wrongDate(name, DATE_TIME);
  }

  /**
   * Reads a date-time, or null.
   * @param empty `null` if an empty text or a zero date counts as null
   */
  optionalDateTime(name: string, empty: 'null' | 'fault' = 'fault'): string | null {
    const value = this.present(name);
    const isEmpty = empty === 'null' && isEmptyDate(value);
    return value === null || isEmpty ? null : this.dateTime(name);
  }

  day(name: string): string {
    const value = this.present(name);
    if (value === null) return this.missing(name, CALENDAR_DATE, '');
    const isDay = typeof value === 'string' && isCalendarDay(value) && value >= '1000';
    return isDay ? value : this.wrongDate(name, CALENDAR_DATE);
  }

  object(name: string): RecordFields {
    // The fields of a missing object are not reported one by one.
    return this.optionalObject(name) ?? this.missing(name, 'an object', new RecordFields({}));
  }

  optionalObject(name: string): RecordFields | null {
    const value = this.present(name);
    if (value === null) return null;
    return isRecord(value) ? this.within(value, name) : this.mustBe(name, 'an object');
  }

  optionalList(name: string, max: number): RecordFields[] {
    const value = this.present(name);
    if (value === null) return [];
    if (!Array.isArray(value)) {
      this.mustBe(name, 'a list');
      return [];
    }
    if (value.length > max) {
      const [upTo, found] = [max, value.length].map((items) => items.toLocaleString('en'));
      this.fault(name, `must be a list of at most ${upTo} items, not of ${found}`);
      return [];
    }
    return value.flatMap((item: unknown, index) => {
      const at = `${name}[${index}]`;
      if (isRecord(item)) return [this.within(item, at)];
      this.mustBe(at, 'an object', item);
      return [];
    });
  }

  /**
   * Reports a wrong date. A day that does not exist has its own message, because its form is right.
   * @returns the placeholder
   */
  private wrongDate(name: string, expected: string): string {
    const value = this.present(name);
    const day = typeof value === 'string' ? missingDayIn(value) : null;
    if (day === null) this.mustBe(name, expected);
    else this.fault(name, `must be a date that exists, but ${day} does not exist`);
    return '';
  }

  private within(values: Readonly<Record<string, unknown>>, name: string): RecordFields {
    return new RecordFields(values, this.faults, `${this.path}${name}.`);
  }

  private present(name: string): unknown {
    return Object.hasOwn(this.values, name) ? this.values[name] : null;
  }

  /**
   * Reports a missing field, unless the field already has a fault.
   * @returns the placeholder
   */
  private missing<Value>(name: string, expected: string, placeholder: Value): Value {
    if (this.present(name) === null) this.mustBe(name, `given: ${expected}`);
    return placeholder;
  }

  private mustBe(name: string, expected: string, value = this.present(name)): null {
    this.faults.add(() => {
      const found = value === null ? '' : `, not ${shownValue(value)}`;
      return `${this.path}${name}: must be ${expected}${found}`;
    });
    return null;
  }
}

/**
 * Returns true for an empty text and for MySQL's zero date, which PHP may write as a date before
 * year 0.
 */
export function isEmptyDate(value: unknown): boolean {
  return typeof value === 'string' && EMPTY_DATE.test(value);
}

function decimalText(places: number): string {
  return `decimal text with at most ${places} decimal places`;
}

function decimalProblem(value: unknown, places: number): string {
  const isTooLong = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
  return isTooLong && value.replace(/^.*?(\.|$)/, '').length <= places
    ? `${decimalText(places)} and ${wholeDigits(places)} digits before the point`
    : decimalText(places);
}
