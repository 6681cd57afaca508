import { isRecord } from '../../../common/validation/is-record.js';

/** Returns a value of an upstream as an object, which is empty if the value is not an object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
