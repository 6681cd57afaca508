/** Compares plain data: text, numbers, null, and lists or objects of those. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, at) => isSame(value, right[at]));
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false;
  }
  const others = new Map<string, unknown>(Object.entries(right));
  const entries = Object.entries(left);
  return entries.length === others.size && entries.every(([k, v]) => isSame(v, others.get(k)));
}
