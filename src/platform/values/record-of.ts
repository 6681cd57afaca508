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

/** Reads the properties of an object one by one. The name tells each where its value is. */
type PropertyReaders<Source, Values extends object> = {
  readonly [Key in keyof Values]: {
    readonly read: (source: Source, name: string) => Values[Key];
  };
};

/**
 * Returns a function that reads an object with these properties, in the order of the list. It is
 * compiled once, because a loop over the properties is slower.
 * @param nameOf returns the name that the reader of a property gets
 */
export function compiledReader<Source, Values extends object>(
  readers: PropertyReaders<Source, Values>,
  keys: readonly (keyof Values & string)[],
  nameOf: (key: keyof Values & string) => string,
): (source: Source) => Values {
  const codeOf = (key: keyof Values & string) =>
    `readers.${key}.read(source, ${JSON.stringify(nameOf(key))})`;
  const body = objectOf(keys, codeOf);
  // oxlint-disable-next-line typescript/no-implied-eval -- only our own names of properties
  const compile = new Function('readers', `return (source) => ${body};`) as (
    all: typeof readers,
  ) => (source: Source) => Values;
  return compile(readers);
}

/** Returns a function that copies these properties of an object, in the order of the list. */
export function compiledPicker<Key extends string>(keys: readonly Key[]) {
  const body = objectOf(keys, (key) => `source.${key}`);
  // oxlint-disable-next-line typescript/no-implied-eval -- only our own names of properties
  return new Function('source', `return ${body};`) as <Source extends object>(
    source: Source & Readonly<Record<Key, unknown>>,
  ) => Pick<Source, Key & keyof Source>;
}

/** Returns a function that lists the values of these properties of an object. */
export function compiledValues<Key extends string>(keys: readonly Key[]) {
  const body = `[${keys.map((key) => `source.${key}`).join(', ')}]`;
  // oxlint-disable-next-line typescript/no-implied-eval -- only our own names of properties
  return new Function('source', `return ${body};`) as <Value>(
    source: Readonly<Record<Key, Value>>,
  ) => Value[];
}

function objectOf<Key extends string>(keys: readonly Key[], codeOf: (key: Key) => string): string {
  return `({ ${keys.map((key) => `${key}: ${codeOf(key)}`).join(', ')} })`;
}
