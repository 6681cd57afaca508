import { isRecord } from '../../platform/values/is-record.js';

/** Compares plain data: text, numbers, null, and lists or objects that contain them. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, at) => isSame(value, right[at]));
  }
  if (!isRecord(left) || !isRecord(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => isSame(left[name], right[name]))
  );
}
