import { NAME_CONTROLS } from '../common/shown-text.js';

/** The characters and the length that a text may have. Unpaired surrogates are never allowed. */
export interface TextRule {
  /** In characters, each of which has one or two UTF-16 code units. */
  readonly max: number;
  /** Matches each character that is not allowed. */
  readonly refused: RegExp;
  /** Names the characters that are not allowed, in the words of an error message. */
  readonly refusedWords: string;
}

/** U+007F, and U+0000 to U+001F with or without tab and line break. */
const CONTROLS = String.raw`\u0000-\u001f\u007f`;
const CONTROLS_BUT_LINES = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f`;
const CONTROL_WORDS = 'control characters';

/** In characters: what the columns of most texts hold. */
const SHORT_TEXT = 255;

/** Most texts. */
export const TEXT: TextRule = ruleOf(SHORT_TEXT, CONTROLS);
/** Values of tracking fields, and URLs of sales pages. */
export const TRACKING_TEXT: TextRule = ruleOf(2_048, CONTROLS);
/** The referrer of a recurring payment. */
export const LONG_TEXT: TextRule = ruleOf(16_000, CONTROLS);
/** Long texts that may have tabs and several lines: comments, and other parameters of a click. */
export const LINES_TEXT: TextRule = ruleOf(16_000, CONTROLS_BUT_LINES);
/** Names of users and products, which must not look like another name. */
export const NAME_TEXT: TextRule = ruleOf(
  SHORT_TEXT,
  NAME_CONTROLS,
  'control characters, line breaks or text direction marks',
);

/** @returns what the text must be, as the end of `must be …`; null if it keeps the rule */
export function textProblem(text: string, { max, refused, refusedWords }: TextRule): string | null {
  // The length is first, so that a text that is too long is cheap to reject.
  if (isLonger(text, max)) return `at most ${max.toLocaleString('en')} characters long`;
  if (!text.isWellFormed()) return 'text without unpaired surrogates';
  return text.search(refused) < 0 ? null : `text without ${refusedWords}`;
}

/** A text that keeps a rule. */
export interface FittedText {
  readonly text: string;
  /** The changes that made it fit, such as `cut to 255 characters`; empty if it fitted. */
  readonly changes: readonly string[];
}

/** Leaves out the characters that a rule does not allow, and cuts what is then too long. */
export function fittedText(text: string, rule: TextRule): FittedText {
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
