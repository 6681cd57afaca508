import { formatDecimal, parseDecimal, CENTS } from '../../../common/money.js';
import { formatDateTime, parseDateTime } from '../../../common/time.js';
import { isRecord } from '../../../common/validation/is-record.js';
import { isEmptyDate } from '../../../ledger-format/record-fields.js';
import {
  fittedText,
  NAME_TEXT,
  textProblem,
  type TextRule,
} from '../../../ledger-format/text-rule.js';
import { TRANSACTION_ID } from '../../../ledger-format/transaction.record.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { objectOf } from './known.model.js';

/** A field of a record that was changed before it was stored, or could not be used. */
export interface FieldChange {
  readonly field: string;
  /** The change in words. It quotes no value but the word of a status. */
  readonly text: string;
}

/** A record as a ledger file has it, made of what an upstream sent. */
export interface ConvertedLine {
  readonly line: WrittenRecord;
  /** The fields that were changed or left out by the conversion. */
  readonly changes: readonly FieldChange[];
}

/** Stands for the unknown date of an agreement: a record of one cannot be without one. */
const UNKNOWN_CREATED = '1970-01-01T00:00:00+00:00';
const UNREADABLE = 'cannot be read: a new record has none, and a stored one keeps its own';
/** A whole number, also as decimal text without a fraction. */
const WHOLE = /^(-?\d{1,16})(?:\.0+)?$/;
const FLAGS = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  ['1', true],
  [1, true],
  [false, false],
  ['false', false],
  ['0', false],
  [0, false],
  ['', false],
  [null, false],
]);

/**
 * Reads the fields of an object that an upstream sent, in every form that has one meaning. A field that is
 * null or absent is null, and so is an empty text where no text is expected. A field that cannot be read is
 * undefined, and added to the changes.
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

  /** The fields of an object within this one. @param at the name that a ledger file has for it */
  within(name: string, at = name): SentFields | null | undefined {
    const value = this.given(name);
    if (value === null) return null;
    const path = `${this.path}${at}.`;
    return this.orUnreadable(
      at,
      isRecord(value) ? new SentFields(value, this.changes, path) : null,
    );
  }

  text(name: string, at = name): string | null | undefined {
    const value = this.present(name);
    if (value === null || typeof value === 'string') return value;
    return this.orUnreadable(at, typeof value === 'number' ? String(value) : null);
  }

  /** Text that is cut and cleaned as its rule demands. */
  fittedText(name: string, rule: TextRule, at = name): string | null | undefined {
    const text = this.text(name, at);
    if (typeof text !== 'string') return text;
    const fitted = fittedText(text, rule);
    if (fitted.changes.length > 0) this.change(at, fitted.changes.join(', '));
    return fitted.text;
  }

  /** An e-mail. One that cannot be stored as it is would reach nobody, so it is left empty. */
  email(name: string, rule: TextRule = NAME_TEXT): string | null | undefined {
    const email = this.text(name);
    if (typeof email !== 'string' || textProblem(email, rule) === null) return email;
    this.change(name, 'cannot be stored, so it is left empty');
    return '';
  }

  /** Decimal text with this number of decimal places. */
  decimal(name: string, places = CENTS, at = name): string | null | undefined {
    const value = this.given(name);
    return value === null ? null : this.orUnreadable(at, decimalIn(value, places));
  }

  integer(name: string, min: number, max: number, at = name): number | null | undefined {
    const value = this.given(name);
    if (value === null) return null;
    const number = integerIn(value);
    const isInRange = number !== null && number >= min && number <= max;
    return this.orUnreadable(at, isInRange ? number : null);
  }

  flag(name: string): boolean | undefined {
    return this.orUnreadable(name, FLAGS.get(this.present(name)) ?? null);
  }

  /** Null if the moment is unknown. */
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

  /** Null if the field is absent. */
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

/** An id of 1 or more, which may be a number or text; null if it cannot be read. */
export function idIn(value: unknown): number | null {
  const id = integerIn(value);
  return id !== null && id > 0 ? id : null;
}

/** A text that is empty where nothing is known. */
export function knownText(text: string | null): string | null {
  return text === '' ? null : text;
}

/** The id of a sale, which some services write as a number; null if it cannot be read. */
export function transactionIdIn({ transaction_id }: WrittenRecord): string | null {
  const id = Number.isSafeInteger(transaction_id) ? String(transaction_id) : transaction_id;
  return typeof id === 'string' && TRANSACTION_ID.test(id) ? id : null;
}

/** Decimal text with this number of places, such as `47.00` for `47` and `47.0000`; null if it is none. */
export function decimalIn(value: unknown, places: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim();
  // Further places may only be zeros.
  const end = text.includes('.') ? text.indexOf('.') + 1 + places : text.length;
  const units = /^0*$/.test(text.slice(end)) ? parseDecimal(text.slice(0, end), places) : null;
  return units === null ? null : formatDecimal(units, places);
}

/** A whole number, which may be text; null if it cannot be read. */
export function integerIn(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const [, digits] = WHOLE.exec(String(value).trim()) ?? [];
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : null;
}

/** A flag, which may be a number or text; null if it is missing or cannot be read. */
export function flagIn(value: unknown): boolean | null {
  return value === null || value === '' ? null : (FLAGS.get(value) ?? null);
}
