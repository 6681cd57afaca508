/** What JSON must write otherwise than it is: quotes, backslashes, controls, halves of pairs. */
// eslint-disable-next-line no-control-regex -- controls are what it looks for
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text, or its absence, as JSON. Most texts stand there as they are, which is quick to see. */
export function jsonOfText(text: string | null): string {
  if (text === null) return 'null';
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * Makes a writer of objects that have always the same fields.
 * @returns takes each field's value as JSON, in the order of the fields
 */
export function objectWriter(
  fields: readonly string[],
): (valueAt: (index: number) => string) => string {
  const names = fields.map((field, index) => `${index === 0 ? '{' : ','}${JSON.stringify(field)}:`);
  const nulls = names.map((name) => `${name}null`);
  return (valueAt) => {
    let text = '';
    for (let index = 0; index < names.length; index += 1) {
      const value = valueAt(index);
      // One piece of text in place of two: most fields of most transactions are null.
      text += value === 'null' ? (nulls[index] ?? '') : `${names[index]}${value}`;
    }
    return `${text}}`;
  };
}
