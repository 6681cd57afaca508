/** Unicode line separators and bidirectional controls. */
const MARKS = String.raw`\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/**
 * The inside of a character class that matches the characters a name must not have (see
 * isPlainText).
 */
export const NAME_CONTROLS = String.raw`\p{Cc}${MARKS}`;
const CONTROLS = new RegExp(`[${NAME_CONTROLS}]`, 'u');
const UNSAFE = new RegExp(String.raw`[\p{Cc}\p{Cs}${MARKS}\ufeff]`, 'gu');
const UNSAFE_IN_LINES = new RegExp(String.raw`(?!\n)[\p{Cc}\p{Cs}${MARKS}\ufeff]`, 'gu');
const ALL_MARKS = new RegExp(`[${MARKS}]`, 'gu');

/**
 * Returns false if text contains control characters, line separators or bidirectional controls,
 * with which a name could imitate another one or fake a line. Joiners are allowed, since some
 * scripts need them.
 */
export function isPlainText(text: string): boolean {
  return !CONTROLS.test(text);
}

/** Escapes untrusted text for one line of a terminal: control characters become `\u001b`. */
export function shownText(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** Escapes untrusted text for a terminal as `shownText` does, but keeps its line breaks. */
export function shownLines(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped);
}

/**
 * Escapes only line separators and bidirectional controls, for text whose control characters are
 * already escaped, or are our own.
 */
export function shownMarks(text: string): string {
  return text.replace(ALL_MARKS, escaped);
}

function escaped(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Maximum length of a shown text, enough to find the value in a file. */
const MAX_LENGTH = 60;

/**
 * Returns a JSON value for an error message: shortened, on one line. Of lists and objects, only the
 * type is shown.
 */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') {
    const short = value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
    return shownText(JSON.stringify(short));
  }
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
