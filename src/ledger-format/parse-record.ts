import { isRecord } from '../common/validation/is-record.js';
import { JsonShape } from './json-shape.js';

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
