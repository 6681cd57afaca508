/** Returns an object with one property for each key, in the order of the list. */
export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key, index: number) => Value,
): Record<Key, Value> {
  const record: Partial<Record<Key, Value>> = {};
  keys.forEach((key, index) => {
    record[key] = valueOf(key, index);
  });
  // Every key has its value now, but the compiler cannot see that.
  return record as Record<Key, Value>;
}
