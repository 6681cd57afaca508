/**
 * Characters that a terminal obeys or that hide what stands there: controls, line ends of every kind,
 * marks that turn the direction of writing, half surrogate pairs.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Text from outside on one line of a terminal: what a terminal would obey is written as `\u001b`. */
export function shownText(text: string): string {
  return text.replace(UNSAFE, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
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
