/** Reports text in UTF-16, which the service does not read. */
export class Utf16Error extends Error {
  constructor() {
    super('it is UTF-16; save it as UTF-8');
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xfe, 0xff]), Buffer.from([0xff, 0xfe])];
const UTF16_UNIT = 2;

/**
 * Yields the bytes of a file or a JSON body without the byte order mark that some programs put
 * before UTF-8.
 * @throws Utf16Error before the first byte
 */
export async function* utf8BytesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < MARK.length) continue;
    yield beginning(head);
    head = null;
  }
  if (head !== null && head.length > 0) yield beginning(head);
}

/** Returns UTF-8 bytes without the byte order mark before them. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, MARK.length).equals(MARK) ? bytes.subarray(MARK.length) : bytes;
}

function beginning(bytes: Buffer): Buffer {
  if (isUtf16(bytes.subarray(0, UTF16_UNIT))) throw new Utf16Error();
  return withoutMark(bytes);
}

/**
 * Returns true if two bytes are the beginning of UTF-16: a byte order mark, or a character of which
 * one byte is zero. JSON begins with an ASCII character.
 */
function isUtf16(unit: Buffer): boolean {
  if (UTF16_MARKS.some((mark) => mark.equals(unit))) return true;
  return unit.length === UTF16_UNIT && (unit[0] === 0) !== (unit[1] === 0);
}
