import { formatDecimal, parseDecimal, CENTS } from '../../../platform/values/money.js';
import { formatDateTime, parseDateTime } from '../../../platform/values/time.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { isEmptyDate } from '../../../ledger/records/record-fields.js';
import {
  fittedText,
  NAME_TEXT,
  textProblem,
  type TextRule,
} from '../../../ledger/files/text-rule.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';

/** Describes a field that was changed before its record was stored, or could not be used. */
export interface FieldChange {
  readonly field: string;
  /** The change in words. It quotes no value except the word of a status. */
  readonly text: string;
}

/** Holds a record of an upstream, converted to the form of a ledger file. */
export interface ConvertedLine {
  readonly line: WrittenRecord;
  /** The fields that the conversion changed or left out. */
  readonly changes: readonly FieldChange[];
}

/** Replaces an unknown creation date, which these records require. */
const UNKNOWN_CREATED = '1970-01-01T00:00:00+00:00';
const UNREADABLE = 'cannot be read: a new record has none, and a stored one keeps its own';
/** Matches a whole number, and decimal text whose fraction is zero. */
const WHOLE = /^(-?\d{1,16})(?:\.0+)?$/;
const TRUE: ReadonlySet<unknown> = new Set([true, 'true', '1', 1]);
const FALSE: ReadonlySet<unknown> = new Set([false, 'false', '0', 0, '', null]);

/**
 * Reads the fields of an object that an upstream sent, in every form that has one meaning. A field
 * that is null or absent is null; so is an empty text if no text is expected. A field that cannot
 * be read is undefined and is added to the changes.
 */
export class SentFields {
  private readonly values: WrittenRecord;

  constructor(
    values: unknown,
    readonly changes: FieldChange[] = [],
    private readonly path = '',
  ) {
    this.values = objectOf(values);
  }

  /** Returns the fields of a nested object. */
  within(name: string): SentFields | null | undefined {
    const value = this.given(name);
    if (value === null) return null;
    const path = `${this.path}${name}.`;
    const fields = isRecord(value) ? new SentFields(value, this.changes, path) : null;
    return this.orUnreadable(name, fields);
  }

  text(name: string): string | null | undefined {
    const value = this.present(name);
    if (value === null || typeof value === 'string') return value;
    return this.orUnreadable(name, typeof value === 'number' ? String(value) : null);
  }

  /** Returns text that is cut and cleaned according to its rule. */
  fittedText(name: string, rule: TextRule): string | null | undefined {
    const text = this.text(name);
    if (typeof text !== 'string') return text;
    const fitted = fittedText(text, rule);
    if (fitted.changes.length > 0) this.change(name, fitted.changes.join(', '));
    return fitted.text;
  }

  /**
   * Returns an e-mail. An e-mail that cannot be stored is left empty, because a changed one would
   * reach nobody.
   */
  email(name: string, rule: TextRule = NAME_TEXT): string | null | undefined {
    const email = this.text(name);
    if (typeof email !== 'string' || textProblem(email, rule) === null) return email;
    this.change(name, 'cannot be stored, so it is left empty');
    return '';
  }

  /** Returns decimal text with this number of decimal places. */
  decimal(name: string, places = CENTS, at = name): string | null | undefined {
    const value = this.given(name);
    return value === null ? null : this.orUnreadable(at, decimalIn(value, places));
  }

  integer(name: string, min: number, max: number): number | null | undefined {
    const value = this.given(name);
    if (value === null) return null;
    const number = integerIn(value);
    const isInRange = number !== null && number >= min && number <= max;
    return this.orUnreadable(name, isInRange ? number : null);
  }

  flag(name: string): boolean | undefined {
    return this.orUnreadable(name, flagOf(this.present(name)));
  }

  /** Returns a date-time, or null if it is unknown. */
  date(name: string): string | null {
    const sent = this.present(name) ?? '';
    if (isEmptyDate(sent)) return null;
    const at = typeof sent === 'string' ? parseDateTime(sent.trim()) : null;
    if (at === null) this.unreadable(name);
    return at === null ? null : formatDateTime(at);
  }

  created(): string {
    const at = this.date('created');
    if (at === null) this.change('created', `is unknown, so it is ${UNKNOWN_CREATED}`);
    return at ?? UNKNOWN_CREATED;
  }

  change(field: string, text: string): void {
    this.changes.push({ field: `${this.path}${field}`, text });
  }

  isAbsent(name: string): boolean {
    return !Object.hasOwn(this.values, name);
  }

  unreadable(field: string): void {
    this.change(field, UNREADABLE);
  }

  /** Returns the value as it was sent, or null if the field is absent. */
  present(name: string): unknown {
    return Object.hasOwn(this.values, name) ? this.values[name] : null;
  }

  private orUnreadable<Value>(field: string, value: Value | null): Value | undefined {
    if (value === null) this.unreadable(field);
    return value ?? undefined;
  }

  private given(name: string): unknown {
    const value = this.present(name);
    return value === '' ? null : value;
  }
}

/** Returns an id of 1 or more, which may be a number or text, or null if it cannot be read. */
export function idIn(value: unknown): number | null {
  const id = integerIn(value);
  return id !== null && id > 0 ? id : null;
}

/** Returns the text, or null if it is empty, which means unknown. */
export function knownText(text: string | null): string | null {
  return text === '' ? null : text;
}

/** Returns the id of a sale, which some services send as a number, or null if it cannot be read. */
export function transactionIdIn({ transaction_id }: WrittenRecord): string | null {
  const id = Number.isSafeInteger(transaction_id) ? String(transaction_id) : transaction_id;
  return typeof id === 'string' && TRANSACTION_ID.test(id) ? id : null;
}

/**
 * Returns decimal text with this number of places, such as `47.00` for `47` and `47.0000`, or null
 * if the value is not such a number.
 */
export function decimalIn(value: unknown, places: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim();
  // Only zeros are allowed in further places.
  const end = text.includes('.') ? text.indexOf('.') + 1 + places : text.length;
  const units = /^0*$/.test(text.slice(end)) ? parseDecimal(text.slice(0, end), places) : null;
  return units === null ? null : formatDecimal(units, places);
}

/** Returns a whole number, which may be text, or null if it cannot be read. */
export function integerIn(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const [, digits] = WHOLE.exec(String(value).trim()) ?? [];
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : null;
}

/** Returns a flag, which may be a number or text, or null if it is missing or cannot be read. */
export function flagIn(value: unknown): boolean | null {
  return value === null || value === '' ? null : flagOf(value);
}

function flagOf(value: unknown): boolean | null {
  if (TRUE.has(value)) return true;
  return FALSE.has(value) ? false : null;
}

/** Returns a value of an upstream as an object, which is empty if the value is not an object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
