/** Reports JSON that is incomplete or invalid. */
export class MalformedJsonError extends Error {}
/** Reports an item that is longer than allowed. */
export class LongItemError extends Error {}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const [ARRAY, ARRAY_END] = [0x5b, 0x5d];
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Describes the text so far: it is empty, an open array, a closed array, or one other value. */
type State = 'start' | 'array' | 'end' | 'value';

/**
 * Splits a JSON text into the bytes of its items and holds only one item at a time. The items are
 * those of an array, or the single value that the text consists of. Each is valid JSON.
 * @throws MalformedJsonError, LongItemError
 */
export async function* jsonItemsOf(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const splitter = new JsonSplitter(maxBytes);
  for await (const chunk of chunks) yield* splitter.take(chunk);
  yield* splitter.end();
}

class JsonSplitter {
  private state: State = 'start';
  private parts: Buffer[] = [];
  private length = 0;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private hasItems = false;
  /** True from the first byte of an item to the comma or bracket after it. */
  private isInItem = false;

  constructor(private readonly maxBytes: number) {}

  *take(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.isInString) this.passInString(byte);
      else if (!this.isInItem && WHITE_SPACE.has(byte)) from = at + 1;
      else if (this.state === 'end') throw new MalformedJsonError();
      else if (this.state === 'start') {
        this.state = byte === ARRAY ? 'array' : 'value';
        if (byte === ARRAY) from = at + 1;
        else this.pass(byte);
      } else if (this.endsItem(byte)) {
        this.keep(chunk.subarray(from, at));
        yield* this.itemBefore(byte);
        from = at + 1;
      } else this.pass(byte);
    }
    this.keep(chunk.subarray(from));
  }

  *end(): Generator<Buffer> {
    if (this.state === 'array') throw new MalformedJsonError();
    if (this.state === 'value') yield this.item();
  }

  private endsItem(byte: number): boolean {
    return this.state === 'array' && this.depth === 0 && (byte === COMMA || byte === ARRAY_END);
  }

  private passInString(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === BACKSLASH) this.isEscaped = true;
    else if (byte === QUOTE) this.isInString = false;
  }

  private pass(byte: number): void {
    this.isInItem = true;
    if (byte === QUOTE) this.isInString = true;
    else if (OPEN.has(byte)) this.depth += 1;
    else if (CLOSE.has(byte)) this.depth -= 1;
    if (this.depth < 0) throw new MalformedJsonError();
  }

  private keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.length += bytes.length;
    if (this.length > this.maxBytes) throw new LongItemError();
    this.parts.push(bytes);
  }

  /**
   * Yields the item before a comma or bracket, if there is one. Only an empty array has none.
   * @param byte the comma or bracket
   */
  private *itemBefore(byte: number): Generator<Buffer> {
    const isEmptyArray = byte === ARRAY_END && !this.hasItems && !this.isInItem;
    if (!isEmptyArray) yield this.item();
    if (byte === ARRAY_END) this.state = 'end';
  }

  private item(): Buffer {
    const bytes = Buffer.concat(this.parts);
    try {
      JSON.parse(UTF8.decode(bytes));
    } catch {
      throw new MalformedJsonError();
    }
    this.hasItems = true;
    this.isInItem = false;
    this.parts = [];
    this.length = 0;
    return bytes;
  }
}
