import { isRecord } from '../common/validation/is-record.js';

/** Deeper than any record. It also bounds the recursion over a parsed value. */
const MAX_DEPTH = 20;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

type ParsedRecord = Readonly<Record<string, unknown>>;

/**
 * @param maxParts how many objects, lists and fields it may have: each takes far more memory than text
 * @returns the record's fields, or what is wrong with the line
 */
export function parseRecord(
  bytes: Buffer,
  maxParts = Number.POSITIVE_INFINITY,
): ParsedRecord | string {
  const { depth, fields, containers } = shapeOf(bytes);
  if (depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`;
  if (fields + containers > maxParts) return `has more than ${maxParts} objects, lists and fields`;
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    return error instanceof SyntaxError ? 'is not valid JSON' : 'is not valid UTF-8';
  }
  if (!isRecord(value)) return 'is not a JSON object';
  // JSON.parse keeps the last of two fields with the same name; which one the sender meant is unknown.
  return fieldsIn(value) === fields ? value : 'has an object with the same field twice';
}

interface Shape {
  /** Of nested objects and lists. */
  readonly depth: number;
  /** In all objects, as they are written. */
  readonly fields: number;
  /** Objects and lists. */
  readonly containers: number;
}

function shapeOf(bytes: Buffer): Shape {
  let [open, depth, fields, containers] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COLON) fields += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      open += 1;
      containers += 1;
      depth = Math.max(depth, open);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) open -= 1;
  }
  return { depth, fields, containers };
}

/** @returns the position of the quote that ends a string, or the last byte of an unfinished one */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at;
  }
  return bytes.length;
}

function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>((sum, inner) => sum + fieldsIn(inner), own);
}
