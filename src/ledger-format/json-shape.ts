const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

interface Bounds {
  /** Objects and lists may lie so deep in each other. */
  readonly depth: number;
  /** Fields and items of lists: each takes far more memory than text. */
  readonly values: number;
}

/**
 * Counts what is in a JSON text while it comes, without building anything of it. The counts are right if
 * the text is valid JSON; otherwise they are only bounded.
 */
export class JsonShape {
  /** Counts the values in all objects, as they are written. */
  fields = 0;
  private items = 0;
  /** An entry says of each object or list that is open whether it is a list. */
  private readonly open: boolean[] = [];
  private isInString = false;
  private isEscaped = false;

  constructor(private readonly bounds: Bounds) {}

  /** @returns what is wrong with the text so far, or null */
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

  /** @returns the position of the last byte that is passed */
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
