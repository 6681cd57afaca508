import { existsSync, readFileSync } from 'node:fs';

/** Matches positions such as `file:///opt/vendor-reporting/dist/chunk-ABCD.js:1200:15`. */
const POSITION = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;
const BASE_64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The value of each digit, by its character code. */
// oxlint-disable-next-line house/nothing-lasts -- filled once, below
const DIGITS = new Uint8Array(128);
for (let value = 0; value < BASE_64.length; value += 1) DIGITS[BASE_64.charCodeAt(value)] = value;
const [COMMA, SEMICOLON] = [','.charCodeAt(0), ';'.charCodeAt(0)];
/**
 * The index has four numbers for each line: the offset of its mappings, and the source, line and
 * column before it.
 */
const NUMBERS = 4;

interface RawMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

// oxlint-disable-next-line house/nothing-lasts -- a built file has one source map
const maps = new Map<string, SourceMap | null>();

/**
 * Returns a stack with the positions of the source code, where the build has written source maps.
 * Node.js could do so itself, but reads all source maps at each start and needs much memory for
 * them.
 */
export function withSourcePositions(stack: string): string {
  return stack.replaceAll(POSITION, (position, url: string, line: string, column: string) => {
    return mapOf(url)?.find(Number(line) - 1, Number(column) - 1) ?? position;
  });
}

function mapOf(url: string): SourceMap | null {
  const known = maps.get(url);
  if (known !== undefined) return known;
  const file = new URL(`${url}.map`);
  const map = existsSync(file)
    ? new SourceMap(url, JSON.parse(readFileSync(file, 'utf8')) as RawMap)
    : null;
  maps.set(url, map);
  return map;
}

/** Finds a position without keeping an object for each of a million mappings. */
class SourceMap {
  private readonly mappings: Buffer;
  private readonly sources: readonly string[];
  private readonly lines: Int32Array;
  private at = 0;

  constructor(
    private readonly url: string,
    { mappings, sources }: RawMap,
  ) {
    this.mappings = Buffer.from(mappings, 'latin1');
    this.sources = sources;
    this.lines = this.indexOfLines();
  }

  /**
   * Finds the source position of a generated line and column, both counted from 0.
   * @returns `file:///opt/vendor-reporting/src/main.ts:12:3`, or null where nothing is mapped
   */
  find(line: number, column: number): string | null {
    const [begin = -1, ...state] = this.lines.subarray(line * NUMBERS, (line + 1) * NUMBERS);
    if (begin < 0) return null;
    let found: readonly number[] = [];
    this.at = begin;
    this.readLine(state, (generated) => {
      if (generated <= column) found = [...state];
    });
    const [source, sourceLine = 0, sourceColumn = 0] = found;
    if (source === undefined) return null;
    const file = new URL(this.sources[source] ?? '', this.url).href;
    return `${file}:${sourceLine + 1}:${sourceColumn + 1}`;
  }

  private indexOfLines(): Int32Array {
    const { mappings } = this;
    const count = mappings.reduce((sum, code) => (code === SEMICOLON ? sum + 1 : sum), 1);
    const lines = new Int32Array(count * NUMBERS).fill(-1);
    const state = [0, 0, 0];
    for (let line = 0; this.at < mappings.length; line += 1) {
      lines.set([this.at, ...state], line * NUMBERS);
      this.readLine(state, () => undefined);
      this.at += 1;
    }
    return lines;
  }

  /** Reads up to the end of a line and updates `state`, which holds source, line and column. */
  private readLine(state: number[], onMapping: (generatedColumn: number) => void): void {
    let generated = 0;
    while (this.isInLine()) {
      generated += this.readNumber();
      for (let place = 0; this.isInMapping(); place += 1) {
        const difference = this.readNumber();
        // The fourth number is the name, which is not needed.
        if (place < state.length) state[place] = (state[place] ?? 0) + difference;
      }
      onMapping(generated);
      if (this.mappings[this.at] === COMMA) this.at += 1;
    }
  }

  private isInLine(): boolean {
    return this.at < this.mappings.length && this.mappings[this.at] !== SEMICOLON;
  }

  private isInMapping(): boolean {
    return this.isInLine() && this.mappings[this.at] !== COMMA;
  }

  /**
   * Reads a number in base 64 VLQ: five bits in each character, the lowest first. The lowest bit of
   * all is the sign.
   */
  private readNumber(): number {
    let value = 0;
    let digit = 32;
    for (let shift = 0; digit >= 32; shift += 5) {
      digit = DIGITS[this.mappings[this.at] ?? 0] ?? 0;
      value |= (digit & 31) << shift;
      this.at += 1;
    }
    return (value & 1) === 1 ? -(value >> 1) : value >> 1;
  }
}
