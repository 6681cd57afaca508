import { has, MARKS } from '../ledger/checked-ledger.js';
import type { Answer, Request } from '../service/http.js';

/** The texts in a body of JSON, with their quotation marks, escaped as JSON escapes them. */
const TEXTS = /"(?:[^"\\]|\\.)*"/g;

/**
 * Returns all that the client of a request sees in an answer, except what it sent itself: an answer
 * that repeats a value of its request shows no data. A value is sent if it is a part of the path, a
 * parameter of the query or a text of the body. A longer text that contains a sent one is not sent.
 */
export function withoutSent({ headers, text }: Answer, request: Request): string {
  const seen = JSON.stringify(headers) + text;
  return sentTexts(request).reduce((rest, sent) => rest.replaceAll(wholeText(sent), ''), seen);
}

/** Returns the sent values that have the mark of a user, the longest first. Others hide nothing. */
function sentTexts({ path, body = '' }: Request): string[] {
  const parts = path.split(/[/?&=]/).filter(hasMark);
  const texts = String(body).match(TEXTS) ?? [];
  const values = texts.map((each) => each.slice(1, -1)).filter(hasMark);
  return [...parts, ...parts.map(decodeURIComponent), ...values].toSorted(
    (a, b) => b.length - a.length,
  );
}

/** Returns a pattern of a text that is no part of a longer word. */
function wholeText(text: string): RegExp {
  return new RegExp(`(?<!\\w)${text.replaceAll(/[^\w\s]/g, String.raw`\$&`)}(?!\\w)`, 'g');
}

function hasMark(text: string): boolean {
  return Object.values(MARKS).some((mark) => has(text, mark));
}
