import { isRecord } from '../../../common/validation/is-record.js';

/** Anything that an upstream sent, as an object; empty if it is none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** What is empty at the upstream is not known: null. Anything else is left for the check. */
export function known(value: unknown): unknown {
  return value === '' || value === undefined ? null : value;
}

/** The same for amounts and counts, of which the interface shows 0 when they are not known. */
export function knownAmount(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^-?0+(?:\.0+)?$/.test(text) ? null : known(text);
}

/** A text that is empty where nothing is known. */
export function textOrEmpty(value: unknown): unknown {
  return value ?? '';
}

/** The number that a text of digits stands for; anything else is left for the check. */
export function numberIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}
