import { isRecord } from '../../platform/values/is-record.js';

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

interface Bounds {
  /** Maximum depth of nested objects and lists. */
  readonly depth: number;
  /** Maximum number of fields and list items. Each takes far more memory than its text. */
  readonly values: number;
}

/**
 * Counts the values in a JSON text while it arrives, without parsing it. The counts are exact if
 * the text is valid JSON; otherwise they are only bounded.
 */
export class JsonShape {
  /** Number of fields in all objects. A field that occurs twice in an object counts twice. */
  fields = 0;
  private items = 0;
  /** Has an entry for each open object or list: true for a list. */
  private readonly open: boolean[] = [];
  private isInString = false;
  private isEscaped = false;

  constructor(private readonly bounds: Bounds) {}

  /**
   * Adds the next bytes to the counts.
   * @returns the problem with the text so far, or null
   */
  take(bytes: Uint8Array): string | null {
    const { depth, values } = this.bounds;
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.isInString) {
        at = this.passString(bytes, at);
        continue;
      }
      const byte = bytes[at];
      if (byte === QUOTE) this.isInString = true;
      else if (byte === COLON) this.fields += 1;
      else if (byte === COMMA) this.items += this.open.at(-1) === true ? 1 : 0;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.open.push(byte === OPEN_BRACKET);
        this.items += byte === OPEN_BRACKET ? 1 : 0;
        if (this.open.length > depth) return `is nested more than ${depth} levels deep`;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.open.pop();
    }
    return this.fields + this.items > values ? `has more than ${values} values` : null;
  }

  /**
   * Skips the rest of a string.
   * @returns the position of the last byte that belongs to it
   */
  private passString(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) {
        this.isInString = false;
        return at;
      }
    }
    return bytes.length;
  }
}

/**
 * Maximum depth of a record. No valid record is deeper. It also bounds the recursion over a parsed
 * value.
 */
export const MAX_DEPTH = 20;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type ParsedRecord = Readonly<Record<string, unknown>>;

/**
 * Parses one line of a ledger file.
 * @returns the record's fields, or the problem with the line
 */
export function parseRecord(bytes: Buffer): ParsedRecord | string {
  const shape = new JsonShape({ depth: MAX_DEPTH, values: Number.POSITIVE_INFINITY });
  return shape.take(bytes) ?? parseShaped(bytes, shape);
}

/**
 * Parses an object whose shape is within bounds.
 * @returns its fields, or the problem with the text
 */
export function parseShaped(bytes: Uint8Array, { fields }: JsonShape): ParsedRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    return error instanceof SyntaxError ? 'is not valid JSON' : 'is not valid UTF-8';
  }
  if (!isRecord(value)) return 'is not a JSON object';
  // `JSON.parse` keeps the last of two fields with the same name, but the sender may have meant the
  // other one.
  return fieldsIn(value) === fields ? value : 'has an object with the same field twice';
}

function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return values.reduce<number>((sum, inner) => sum + fieldsIn(inner), own);
}
