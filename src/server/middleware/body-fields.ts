import { ApiError } from '../../common/errors/api-error.js';

export const FORM = 'application/x-www-form-urlencoded';
/** How deep a body may be nested; the outermost object counts. */
export const DEEPEST = 20;

const LATIN1 = 'iso-8859-1';
/** JSON is Unicode; older forms may be in the one other charset that browsers sent by default. */
const CHARSETS = {
  json: ['utf-8', 'utf-16', 'utf-16le', 'utf-16be'],
  form: ['utf-8', LATIN1],
} as const;
const [QUOTE, BACKSLASH] = ['"', '\\'];

/**
 * Reads the bytes of a body. What is sent as a form and begins with a brace, white space aside, is
 * JSON: that is what `curl -d` sends (decisions: Which code when).
 * @param type which of the two types it was sent as
 * @param contentType the whole header
 * @returns the value that the JSON is, or the fields of the form
 * @throws ApiError bad_request where they can't be read
 */
export function readBodyFields(bytes: Buffer, type: string, contentType: string): unknown {
  if (bytes.length === 0) return {};
  const isForm = type === FORM;
  const charset =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  const charsets: readonly string[] = isForm ? CHARSETS.form : CHARSETS.json;
  if (!charsets.includes(charset)) throw unreadable();
  const text = readably(() => decoded(bytes, charset));
  if (isForm && !/^[\t\n\r ]*\{/.test(text)) return readably(() => formOf(text, charset));
  if (isDeeper(text)) {
    throw new ApiError('bad_request', `The body may be nested at most ${DEEPEST} deep.`);
  }
  return readably((): unknown => JSON.parse(text));
}

function decoded(bytes: Buffer, charset: string): string {
  if (charset === LATIN1) return bytes.toString('latin1');
  return new TextDecoder(charset, { fatal: true }).decode(bytes);
}

/** Counts the brackets that are open, those in texts aside, before anything is built of them. */
function isDeeper(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInText) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) isInText = false;
    } else if (character === QUOTE) isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** A field that comes again is a list. A form has no null: an empty value is one. */
function formOf(text: string, charset: string): Record<string, unknown> {
  const read = charset === LATIN1 ? unescapedLatin1 : decodeURIComponent;
  const values = new Map<string, string[]>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = splitAtFirst(pair.replaceAll('+', ' ')).map(read);
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  return Object.fromEntries(
    Array.from(values, ([name, [first, ...more]]) => [
      name,
      more.length > 0 ? [first, ...more] : first === '' ? null : first,
    ]),
  );
}

function splitAtFirst(pair: string): string[] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** @throws URIError as decodeURIComponent does */
function unescapedLatin1(text: string): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw new URIError();
  return text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** What the language refuses to read, as an answer. */
function readably<Read>(read: () => Read): Read {
  try {
    return read();
  } catch {
    throw unreadable();
  }
}

function unreadable(): ApiError {
  return new ApiError('bad_request', 'The body can not be read.');
}
