import { isRecord } from '../../../common/validation/is-record.js';

/** Anything that an upstream sent, as an object; empty if it is none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
