/** What JSON must write otherwise than it is: quotes, backslashes, controls, halves of pairs. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A text, or its absence, as JSON. Most texts stand there as they are, which is quick to see. */
export function jsonOfText(text: string | null): string {
  if (text === null) return 'null';
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * Makes a writer of objects with always the same fields, whose names are so written only once.
 * @returns takes each field's value as JSON, in the order of the fields
 */
export function objectWriter(
  fields: readonly string[],
): (valueAt: (index: number) => string) => string {
  const names = fields.map((field, index) => `${index === 0 ? '{' : ','}${JSON.stringify(field)}:`);
  return (valueAt) => {
    let text = '';
    for (let index = 0; index < names.length; index += 1)
      text += `${names[index]}${valueAt(index)}`;
    return `${text}}`;
  };
}
