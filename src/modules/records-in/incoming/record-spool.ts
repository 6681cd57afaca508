import { randomUUID } from 'node:crypto';
import { open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { codeOf } from '../../../platform/errors/is-error.js';
import { OWNER_ONLY, ensureWritable } from '../../../platform/files/owner-only-file.js';
import { SharedRoom } from '../../../platform/limits/memory/shared-room.js';
import type { RawLine } from '../../../ledger/files/ledger-file.js';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { RECORDS_IN } from '../records-in.feature.js';
import { UnusableSpoolError } from './incoming.model.js';

const MEBIBYTE = 1_048_576;
const PREFIX = 'vendor-reporting-records-';
/** Small records are joined and written together up to this size. */
const WRITE_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = '2';
/**
 * The system returns these codes if a disk is full, or a quota or the maximum file size is reached.
 */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
/** A file that still has its name after this time was left behind by a process that ended. */
const LEFT_BEHIND_MS = 60_000;

/** Holds a record as it was sent, without the line end or comma after it. */
export type WholeRecord = RawLine & { readonly bytes: Buffer };

/** Gives access to the records of one request, which are on disk. */
export interface SpooledRecords {
  readonly count: number;
  /** Size of the file in bytes, which is more than the size of the records. */
  readonly bytes: number;
  read(): AsyncGenerator<RawLine>;
  close(): Promise<void>;
}

/**
 * Keeps the records of each request on disk until all of them have arrived. A file loses its name
 * before anything is written to it, so no records remain on disk however the process ends. If the
 * process ends between these two steps, an empty file with a name remains, and a later start
 * removes it.
 */
@Injectable()
export class RecordSpool implements OnApplicationBootstrap {
  private readonly folder: string;
  private readonly room: SharedRoom;

  constructor(settings: Settings, metrics: Metrics) {
    const { spoolFolder, spoolMebibytes } = RECORDS_IN.settings;
    this.folder = valueOf(settings, spoolFolder) ?? tmpdir();
    const size = valueOf(settings, spoolMebibytes) * MEBIBYTE;
    this.room = new SharedRoom({ size, waitMs: 0, refusal: spoolIsFull });
    const help = 'Disk space of records that are on their way in.';
    metrics.gauge('records_spool_bytes', help, 'state', () => ({ used: this.room.used }));
  }

  /**
   * Checks at the start that the folder can be written, before the first records arrive.
   * @throws UnusableSpoolError if it cannot be written
   */
  async check(): Promise<void> {
    try {
      await ensureWritable(this.folder);
    } catch (error) {
      throw new UnusableSpoolError(error);
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    const names = await readdir(this.folder).catch((): string[] => []);
    const before = Date.now() - LEFT_BEHIND_MS;
    for (const name of names.filter((found) => found.startsWith(PREFIX))) {
      const path = join(this.folder, name);
      // Other processes use the same folder, and may remove the file first.
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtimeMs < before) await unlink(path).catch(() => undefined);
    }
  }

  /**
   * Writes all records to disk.
   * @param account the account that shares the space with others
   * @throws ApiError `too_many_requests` if there is not enough space; as after every error of
   *   `records`, nothing remains on disk then
   */
  async write(account: number, records: AsyncIterable<WholeRecord>): Promise<SpooledRecords> {
    const room = await this.room.take(account, 0);
    const file = await this.openUnnamed().catch((error: unknown) => {
      room.free();
      throw error;
    });
    const written = { count: 0, bytes: 0 };
    const close = async () => {
      room.free();
      await file.close();
    };
    try {
      for await (const frames of joined(records, written)) {
        if (!room.tryGrow(frames.length)) throw spoolIsFull();
        const position = written.bytes;
        written.bytes += frames.length;
        await writeWhole(file, frames, position);
      }
    } catch (error) {
      await close();
      throw FULL.has(codeOf(error) ?? '') ? spoolIsFull() : error;
    }
    const { count, bytes } = written;
    return { count, bytes, read: () => recordsIn(file, bytes), close };
  }

  private async openUnnamed(): Promise<FileHandle> {
    const path = join(this.folder, `${PREFIX}${randomUUID()}`);
    const file = await open(path, 'wx+', OWNER_ONLY);
    await unlink(path);
    return file;
  }
}

function spoolIsFull(): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many records of other requests are waiting. Nothing was written: send these again.',
    { 'Retry-After': RETRY_AFTER_SECONDS },
  );
}

/** Frames records and joins small ones. */
async function* joined(
  records: AsyncIterable<WholeRecord>,
  written: { count: number },
): AsyncGenerator<Buffer> {
  let frames: Buffer[] = [];
  let length = 0;
  for await (const record of records) {
    const frame = framed(record);
    frames.push(frame);
    length += frame.length;
    written.count += 1;
    if (length < WRITE_BYTES) continue;
    yield Buffer.concat(frames);
    frames = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(frames);
}

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
function framed({ line, bytes }: WholeRecord): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  frame.writeUInt32LE(line, 0);
  frame.writeUInt32LE(bytes.length, 4);
  bytes.copy(frame, HEAD_BYTES);
  return frame;
}

/** Reads framed records back, with one chunk of the file in memory. */
async function* recordsIn(file: FileHandle, totalBytes: number): AsyncGenerator<RawLine> {
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
