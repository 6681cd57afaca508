import { NAME_CONTROLS } from '../../platform/values/shown-text.js';

/**
 * Defines the characters and the length that a text may have. Unpaired surrogates are never
 * allowed.
 */
export interface TextRule {
  /** Maximum length in characters, each of which has one or two UTF-16 code units. */
  readonly max: number;
  /** Matches each character that is not allowed. */
  readonly refused: RegExp;
  /** The characters that are not allowed, as words for an error message. */
  readonly refusedWords: string;
}

/**
 * Control characters are U+007F, and U+0000 to U+001F. The second constant excludes tab and line
 * breaks.
 */
const CONTROLS = String.raw`\u0000-\u001f\u007f`;
const CONTROLS_BUT_LINES = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f`;
const CONTROL_WORDS = 'control characters';

/** Length of most text columns, in characters. */
const SHORT_TEXT = 255;

/** Applies to most texts. */
export const TEXT: TextRule = ruleOf(SHORT_TEXT, CONTROLS);
/** Applies to values of tracking fields and to URLs of sales pages. */
export const TRACKING_TEXT: TextRule = ruleOf(2_048, CONTROLS);
/** Applies to the referrer of a subscription. */
export const LONG_TEXT: TextRule = ruleOf(16_000, CONTROLS);
/**
 * Applies to long texts that may contain tabs and line breaks: comments, and other parameters of a
 * click.
 */
export const LINES_TEXT: TextRule = ruleOf(16_000, CONTROLS_BUT_LINES);
/** Applies to names of users and products, which must not look like another name. */
export const NAME_TEXT: TextRule = ruleOf(
  SHORT_TEXT,
  NAME_CONTROLS,
  'control characters, line breaks or text direction marks',
);

/**
 * Checks a text against a rule.
 * @returns the end of a message `must be …`, or null if the text complies
 */
export function textProblem(text: string, { max, refused, refusedWords }: TextRule): string | null {
  // The length is checked first, so that a text that is too long is cheap to reject.
  if (isLonger(text, max)) return `at most ${max.toLocaleString('en')} characters long`;
  if (!text.isWellFormed()) return 'text without unpaired surrogates';
  return text.search(refused) < 0 ? null : `text without ${refusedWords}`;
}

/**
 * Removes the characters that a rule does not allow, then cuts the text if it is still too long.
 * @returns the text, and the changes that were needed, such as `cut to 255 characters`
 */
export function fittedText(text: string, rule: TextRule) {
  const { max, refused, refusedWords } = rule;
  const changes: string[] = [];
  const paired = text.isWellFormed() ? text : text.replaceAll(/\p{Cs}/gu, '');
  if (paired !== text) changes.push('stored without its unpaired surrogates');
  const clean = paired.replaceAll(refused, '');
  if (clean !== paired) changes.push(`stored without its ${refusedWords}`);
  if (!isLonger(clean, max)) return { text: clean, changes };
  changes.push(`cut to ${max.toLocaleString('en')} characters`);
  return { text: firstCharacters(clean, max), changes };
}

function ruleOf(max: number, refused: string, refusedWords = CONTROL_WORDS): TextRule {
  return { max, refused: new RegExp(`[${refused}]`, 'gu'), refusedWords };
}

function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || Array.from(text).length > max;
}

function firstCharacters(text: string, max: number): string {
  return Array.from(text.slice(0, 2 * max))
    .slice(0, max)
    .join('');
}
