import { CENTS, parseDecimal, wholeDigits } from './money.js';
import { isCalendarDay, parseDateTime } from './time.js';

const SHORTEST_ID = 1;
const SHORT_TEXT = 255;
const LONG_TEXT = 16_000;

type Sign = 'any' | 'zero_or_more' | 'zero_or_less';

/**
 * Reads the fields of one record by name and notes every fault as `path: what it must be`. After a
 * fault a stand-in value is returned, so that the remaining faults are found too: use the values only
 * where `faults` has stayed empty.
 */
export class RecordFields {
  constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    readonly faults: string[] = [],
    private readonly path = '',
  ) {}

  fault(name: string, problem: string): void {
    this.faults.push(`${this.path}${name}: ${problem}`);
  }

  /** Text of at most 255 characters. */
  text(name: string, most: number = SHORT_TEXT): string {
    return this.required(name, 'text', () => this.optionalText(name, most)) ?? '';
  }

  optionalText(name: string, most: number = SHORT_TEXT): string | null {
    const value = this.present(name);
    if (value === null) return null;
    if (typeof value !== 'string') return this.mustBe(name, 'text');
    if (!value.isWellFormed()) return this.mustBe(name, 'text without half a surrogate pair');
    if (value.length > most && Array.from(value).length > most) {
      return this.mustBe(name, `at most ${most.toLocaleString('en')} characters long`);
    }
    return value;
  }

  /** Text that has a form of its own; `expected` says which. */
  matching(name: string, pattern: RegExp, expected: string): string {
    return (
      this.required(name, expected, () => {
        const value = this.optionalText(name);
        return value === null || pattern.test(value) ? value : this.mustBe(name, expected);
      }) ?? ''
    );
  }

  /** Text of at most 16,000 characters. */
  optionalLongText(name: string): string | null {
    return this.optionalText(name, LONG_TEXT);
  }

  longText(name: string): string {
    return this.text(name, LONG_TEXT);
  }

  /** A whole number that names something: 1 or more. */
  id(name: string): number {
    return this.integer(name, SHORTEST_ID);
  }

  optionalId(name: string): number | null {
    return this.optionalInteger(name, SHORTEST_ID);
  }

  integer(name: string, least = 0, most: number = Number.MAX_SAFE_INTEGER): number {
    const read = () => this.optionalInteger(name, least, most);
    return this.required(name, 'a whole number', read) ?? least;
  }

  optionalInteger(name: string, least = 0, most: number = Number.MAX_SAFE_INTEGER): number | null {
    const value = this.present(name);
    if (value === null) return null;
    if (
      typeof value !== 'number' ||
      !Number.isSafeInteger(value) ||
      value < least ||
      value > most
    ) {
      const upTo = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
      return this.mustBe(name, `a whole number, ${upTo}`);
    }
    return value;
  }

  flag(name: string): boolean {
    return this.required(name, 'true or false', () => this.optionalFlag(name)) ?? false;
  }

  optionalFlag(name: string): boolean | null {
    const value = this.present(name);
    if (value === null || typeof value === 'boolean') return value;
    return this.mustBe(name, 'true or false');
  }

  choice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    return (
      this.required(name, words.join(' or '), () => this.optionalChoice(name, words)) ?? words[0]
    );
  }

  optionalChoice<Word extends string>(name: string, words: readonly Word[]): Word | null {
    const value = this.present(name);
    if (value === null) return null;
    return words.find((word) => word === value) ?? this.mustBe(name, words.join(' or '));
  }

  /** Money, as a whole number of cents. */
  money(name: string, sign: Sign = 'any'): number {
    return this.required(name, decimalText(CENTS), () => this.optionalMoney(name, sign)) ?? 0;
  }

  optionalMoney(name: string, sign: Sign = 'any'): number | null {
    return this.optionalDecimal(name, CENTS, sign);
  }

  /** Decimal text as a whole number of units, `places` of which stand behind the point. */
  optionalDecimal(name: string, places: number, sign: Sign = 'any'): number | null {
    const value = this.present(name);
    if (value === null) return null;
    const units = typeof value === 'string' ? parseDecimal(value, places) : null;
    if (units === null) return this.mustBe(name, decimalProblem(value, places));
    if (sign === 'zero_or_more' && units < 0) return this.mustBe(name, 'zero or more');
    if (sign === 'zero_or_less' && units > 0) return this.mustBe(name, 'zero or less');
    return units;
  }

  /** A date-time, as a moment in UTC. */
  moment(name: string): string {
    const expected = 'an ISO 8601 date-time with an offset, such as 2025-06-01T14:03:11-04:00';
    return (
      this.required(name, expected, () => {
        const value = this.present(name);
        const moment = typeof value === 'string' ? parseDateTime(value) : null;
        return value === null ? null : (moment ?? this.mustBe(name, expected));
      }) ?? ''
    );
  }

  day(name: string): string {
    const expected = 'a calendar date in the form YYYY-MM-DD, from the year 1000';
    return (
      this.required(name, expected, () => {
        const value = this.present(name);
        if (value === null) return null;
        const isDay = typeof value === 'string' && isCalendarDay(value) && value >= '1000';
        return isDay ? value : this.mustBe(name, expected);
      }) ?? ''
    );
  }

  object(name: string): RecordFields {
    const found = this.required(name, 'an object', () => this.optionalObject(name));
    // The fields of what is not there are not missed one by one.
    return found ?? new RecordFields({});
  }

  optionalObject(name: string): RecordFields | null {
    const value = this.present(name);
    if (value === null) return null;
    return isRecord(value) ? this.within(value, name) : this.mustBe(name, 'an object');
  }

  optionalList(name: string): RecordFields[] {
    const value = this.present(name);
    if (value === null) return [];
    if (!Array.isArray(value)) {
      this.mustBe(name, 'a list');
      return [];
    }
    return value.flatMap((item: unknown, index) => {
      const at = `${name}[${index}]`;
      if (isRecord(item)) return [this.within(item, at)];
      this.mustBe(at, 'an object');
      return [];
    });
  }

  private within(values: Readonly<Record<string, unknown>>, name: string): RecordFields {
    return new RecordFields(values, this.faults, `${this.path}${name}.`);
  }

  private present(name: string): unknown {
    return Object.hasOwn(this.values, name) ? this.values[name] : null;
  }

  private required<Value>(name: string, expected: string, read: () => Value | null): Value | null {
    if (this.present(name) === null) return this.mustBe(name, `given: ${expected}`);
    return read();
  }

  private mustBe(name: string, expected: string): null {
    this.fault(name, `must be ${expected}`);
    return null;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
