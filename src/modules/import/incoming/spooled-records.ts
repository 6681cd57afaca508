import type { FileHandle } from 'node:fs/promises';
import type { RawLine } from '../../../ledger-format/ledger-file.js';

/** Describes the part of a file handle that `writeWhole` uses. */
export interface WritableAt {
  write(
    bytes: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
}

/** The head of a frame is the line number and the length of the record, 4 bytes each. */
const HEAD_BYTES = 8;
const CHUNK_BYTES = 64 * 1024;

/** Returns the bytes of a record as they are written to the spool. */
export function framed({ line, bytes }: { readonly line: number; readonly bytes: Buffer }): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  frame.writeUInt32LE(line, 0);
  frame.writeUInt32LE(bytes.length, 4);
  bytes.copy(frame, HEAD_BYTES);
  return frame;
}

/** Reads framed records back, with one chunk of the file in memory. */
export async function* recordsIn(file: FileHandle, totalBytes: number): AsyncGenerator<RawLine> {
  let rest = Buffer.alloc(0);
  for (let position = 0; position < totalBytes;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, totalBytes - position));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) throw new Error('the spooled records end early');
    position += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let at = 0;
    for (let end = endOf(bytes, at); end <= bytes.length; end = endOf(bytes, at)) {
      yield { line: bytes.readUInt32LE(at), bytes: bytes.subarray(at + HEAD_BYTES, end) };
      at = end;
    }
    rest = bytes.subarray(at);
  }
}

/** Returns the end of the frame that begins at a position, beyond the bytes if it is incomplete. */
function endOf(bytes: Buffer, at: number): number {
  if (at + HEAD_BYTES > bytes.length) return Infinity;
  return at + HEAD_BYTES + bytes.readUInt32LE(at + 4);
}

/**
 * Writes all bytes. A disk that is nearly full may write only a part of them without an error; the
 * next write then fails.
 * @throws Error with the error code of the system
 */
export async function writeWhole(file: WritableAt, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}
