// This file of the bundle runs in a thread that answer-thread-client.ts starts.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { JsonShape, MAX_DEPTH, parseShaped } from '../../../ledger/files/parse-record.js';
import { withoutMark } from '../../../ledger/files/utf8-bytes.js';

/**
 * Messages to the thread carry the bytes of an answer as they arrive, the end of the bytes, and
 * requests for pieces.
 */
export type ToThread =
  | { readonly id: number; readonly kind: 'begin'; readonly maxValues: number }
  | { readonly id: number; readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'end' | 'next' | 'drop' };

/**
 * Messages from the thread carry the reason why an answer is rejected, or its envelope and then its
 * results in pieces.
 */
export type FromThread =
  | { readonly id: number; readonly kind: 'problem'; readonly problem: string }
  | ({ readonly id: number; readonly kind: 'envelope' } & Envelope)
  | { readonly id: number; readonly kind: 'piece'; readonly items: readonly unknown[] };

/** Holds an answer without its results. */
interface Envelope {
  readonly meta: unknown;
  /** The number of pieces of `results`; null if `results` is not a list. */
  readonly pieces: number | null;
}

/** A result has at most this many values; an object of the API has fewer than a hundred. */
const MAX_VALUES_OF_ONE = 10_000;
/** A longer text is cut. Stored texts are shorter, and cutting them is reported as a problem. */
const MAX_TEXT = 65_536;
/**
 * A piece of this weight keeps the event loop busy for some milliseconds. The weight counts values
 * and the characters of their texts.
 */
const PIECE_WEIGHT = 10_000;
const CHARACTERS_OF_A_WEIGHT = 64;

/**
 * Reads an answer in the thread: checks its bounds while it arrives, parses it, and returns it in
 * pieces.
 */
class AnswerReader {
  private readonly shape: JsonShape;
  private bytes: Uint8Array[] = [];
  private readonly pieces: unknown[][] = [];

  constructor(maxValues: number) {
    this.shape = new JsonShape({ depth: MAX_DEPTH, values: maxValues });
  }

  /** @returns the problem of the answer so far, or null */
  take(bytes: Uint8Array): string | null {
    this.bytes.push(bytes);
    return this.shape.take(bytes);
  }

  /** @returns the answer without its results, or its problem */
  end(): Envelope | string {
    const bytes = Buffer.concat(this.bytes);
    this.bytes = [];
    const parsed = parseShaped(withoutMark(bytes), this.shape);
    if (typeof parsed === 'string') return parsed;
    const { meta, results } = parsed;
    if (weightOf(meta) === null) return tooLarge('meta');
    if (!Array.isArray(results)) return { meta, pieces: null };
    return this.divide(results) ?? { meta, pieces: this.pieces.length };
  }

  /** Returns the next piece of the results. */
  next(): readonly unknown[] {
    return this.pieces.shift() ?? [];
  }

  private divide(results: readonly unknown[]): string | null {
    let [piece, sum]: [unknown[], number] = [[], 0];
    for (const result of results) {
      const item = typeof result === 'string' ? cut(result) : result;
      const weight = weightOf(item);
      if (weight === null) return tooLarge('a result');
      if (sum + weight > PIECE_WEIGHT && piece.length > 0) {
        this.pieces.push(piece);
        [piece, sum] = [[], 0];
      }
      piece.push(item);
      sum += weight;
    }
    if (piece.length > 0) this.pieces.push(piece);
    return null;
  }
}

function tooLarge(what: string): string {
  return `has ${what} of more than ${MAX_VALUES_OF_ONE} values`;
}

/**
 * Cuts the texts in a value.
 * @returns its weight, or null if it has too many values
 */
function weightOf(value: unknown): number | null {
  let [values, characters] = [0, 0];
  const visit = (inner: unknown) => {
    values += 1;
    if (typeof inner === 'string') characters += inner.length;
    if (typeof inner !== 'object' || inner === null || values > MAX_VALUES_OF_ONE) return;
    for (const [key, each] of Object.entries(inner)) {
      characters += key.length;
      const fitted = typeof each === 'string' ? cut(each) : (each as unknown);
      if (fitted !== each) Reflect.set(inner, key, fitted);
      visit(fitted);
    }
  };
  visit(value);
  if (values > MAX_VALUES_OF_ONE) return null;
  return values + Math.floor(characters / CHARACTERS_OF_A_WEIGHT);
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
}

if (parentPort !== null) readAnswers(parentPort);

function readAnswers(port: MessagePort): void {
  const readers = new Map<number, AnswerReader>();
  const answer = (message: FromThread) => {
    port.postMessage(message);
  };
  const refuse = (id: number, problem: string) => {
    readers.delete(id);
    answer({ id, kind: 'problem', problem });
  };
  port.on('message', (message: ToThread) => {
    const { id, kind } = message;
    if (kind === 'begin') readers.set(id, new AnswerReader(message.maxValues));
    const reader = readers.get(id);
    // The answer was rejected while more of it was sent.
    if (reader === undefined) return;
    if (kind === 'bytes') {
      const problem = reader.take(message.bytes);
      if (problem !== null) refuse(id, problem);
    } else if (kind === 'end') {
      const envelope = reader.end();
      if (typeof envelope === 'string') refuse(id, envelope);
      else answer({ id, kind: 'envelope', ...envelope });
    } else if (kind === 'next') answer({ id, kind: 'piece', items: reader.next() });
    else if (kind === 'drop') readers.delete(id);
  });
}
