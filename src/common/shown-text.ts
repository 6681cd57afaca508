/** Line ends of Unicode, and marks that turn the direction of writing. */
const MARKS = String.raw`\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** Characters that a terminal obeys or that hide what stands there. */
const OBEYED = new RegExp(String.raw`[\p{Cc}${MARKS}]`, 'u');
const UNSAFE = new RegExp(String.raw`[\p{Cc}\p{Cs}${MARKS}\ufeff]`, 'gu');
const UNSAFE_IN_LINES = new RegExp(String.raw`(?!\n)[\p{Cc}\p{Cs}${MARKS}\ufeff]`, 'gu');
const HIDING = new RegExp(`[${MARKS}]`, 'gu');

/**
 * False where text holds controls, line ends or marks that turn the direction of writing, with which a name
 * could pass for another, or for lines of their own. What scripts need to join letters or not is allowed.
 */
export function isPlainText(text: string): boolean {
  return !OBEYED.test(text);
}

/** Text from outside on one line of a terminal: what a terminal would obey is written as `\u001b`. */
export function shownText(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same of text that has lines. */
export function shownLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped);
}

/** The same of text in which control characters are escaped already, or are our own. */
export function shownMarks(text: string): string {
  return text.replace(HIDING, escaped);
}

function escaped(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Enough to find the value in a file. */
const LONGEST_VALUE = 60;

/** A value of JSON as a message shows it: in short, on one line; of lists and objects what they are. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') {
    const short = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
    return shownText(JSON.stringify(short));
  }
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
