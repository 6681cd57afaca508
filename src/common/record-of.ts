/** An object with one property for each key of a list, in the list's order. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key, index: number) => Value,
): Record<Key, Value> {
  const record: Partial<Record<Key, Value>> = {};
  keys.forEach((key, index) => {
    record[key] = valueOf(key, index);
  });
  // Every key has its value now, which the compiler can't follow through the loop.
  return record as Record<Key, Value>;
}
