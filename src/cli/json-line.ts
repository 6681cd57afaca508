import { shownText } from '../common/shown-text.js';

/** A value as JSON that a terminal only shows: JSON itself escapes the controls of ASCII alone. */
export function jsonLine(value: object | string): string {
  return shownText(JSON.stringify(value));
}
