import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { codeOf, isError } from '../../../common/errors/is-error.js';
import { ensureWritable } from '../../../common/writable-folder.js';
import { Settings } from '../../../config/settings.js';
import { UnusableErasuresError, type Tombstone } from '../tombstones/erased-person.model.js';
import { erasuresIn, fileIdIn, fileIdLine, type Erasures } from './erasure-lines.js';

const OWNER_ONLY = 0o600;
const NEWLINE = 0x0a;
/** The first line of a file takes less. */
const HEAD_BYTES = 128;
/** Some 2,000 tombstones. */
const PART_BYTES = 256 * 1024;
const ENDING_BYTES = 4_096;
/** A file that is written anew, and that nobody has written to for so long, was left by a crash. */
const ABANDONED_MS = 600_000;

export type ErasureLine = Tombstone | { readonly secret: string };

/** A part of the file, up to the end of a line. */
export interface FilePart extends Erasures {
  /** The next part begins here. */
  readonly bytes: number;
}

/** How large the file is, and which id its first line has; null for a file of a previous version, or none. */
export interface FileHead {
  readonly id: string | null;
  readonly bytes: number;
}

/**
 * The file of erasures: lines of JSON, each with a tombstone or the encrypted key, after a first line with the id of
 * the file. It is never shortened, and outlives the database, which may be restored from a backup that is older than
 * an erasure.
 */
@Injectable()
export class ErasuresFile {
  readonly path: string;

  constructor({ erasuresFile }: Settings) {
    this.path = erasuresFile;
  }

  /** @throws UnusableErasuresError */
  head(): Promise<FileHead> {
    return this.reading(async (file) => {
      if (file === null) return { id: null, bytes: 0 };
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const [first = ''] = buffer.toString('latin1', 0, bytesRead).split('\n');
      return { id: fileIdIn(first), bytes: size };
    });
  }

  /** A hash of the last bytes before this place. @throws UnusableErasuresError */
  endingAt(bytes: number): Promise<string> {
    return this.reading(async (file) => {
      const length = Math.min(bytes, ENDING_BYTES);
      const buffer = Buffer.alloc(length);
      if (file !== null) await file.read(buffer, 0, length, bytes - length);
      return createHash('sha256').update(buffer).digest('hex');
    });
  }

  /**
   * Reads on from a place, a part at a time. Lines of an interrupted write are passed over, and a last line that has
   * no end is read again the next time.
   * @throws UnusableErasuresError
   */
  async *parts(from: number): AsyncGenerator<FilePart> {
    const buffer = Buffer.alloc(PART_BYTES);
    for (let at = from; ;) {
      const bytesRead = await this.reading(async (file) =>
        file === null ? 0 : (await file.read(buffer, 0, PART_BYTES, at)).bytesRead,
      );
      if (bytesRead === 0) return;
      const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
      const isLast = end === 0 && bytesRead < PART_BYTES;
      // A longer line is none of ours.
      if (end === 0 && !isLast) {
        at += bytesRead;
        continue;
      }
      const lines = buffer.toString('utf8', 0, isLast ? bytesRead : end).split('\n');
      at += end;
      yield { ...erasuresIn(lines), bytes: at };
      if (isLast) return;
    }
  }

  /** Finds out at the start what the first erasure would meet. @throws UnusableErasuresError */
  async checkFolder(): Promise<void> {
    try {
      await ensureWritable(dirname(this.path));
    } catch (error) {
      throw new UnusableErasuresError('written', error);
    }
  }

  /** Adds lines; they are on the disk when this returns. @throws UnusableErasuresError */
  async append(lines: readonly ErasureLine[]): Promise<void> {
    if (lines.length === 0) return;
    await this.writing(async () => {
      const file = await open(this.path, 'a', OWNER_ONLY);
      try {
        // It begins with an end of line, because the line before may have been interrupted.
        await file.appendFile(`\n${textOf(lines)}`);
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  /**
   * Writes a file with an id in place of one that has none, beside it first. Lines that an instance of the previous
   * version adds meanwhile are lost if the database has none of them, which is if its erasure has failed.
   * @returns how many bytes were written; null if another process does or did the same
   * @throws UnusableErasuresError
   */
  replace(id: string, parts: AsyncIterable<readonly ErasureLine[]>): Promise<number | null> {
    return this.writing(async () => {
      const path = `${this.path}.new`;
      const file = await this.openNew(path);
      if (file === null) return null;
      let isMoved = false;
      try {
        if ((await this.head()).id !== null) return null;
        await file.appendFile(`${fileIdLine(id)}\n`);
        for await (const lines of parts) await file.appendFile(textOf(lines));
        await file.sync();
        const { size } = await file.stat();
        await rename(path, this.path);
        isMoved = true;
        return size;
      } finally {
        await file.close();
        if (!isMoved) await rm(path, { force: true });
      }
    });
  }

  /** @returns null if another process writes it */
  private async openNew(path: string): Promise<FileHandle | null> {
    try {
      return await open(path, 'wx', OWNER_ONLY);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (Date.now() - (await stat(path)).mtimeMs < ABANDONED_MS) return null;
      await rm(path, { force: true });
      return open(path, 'wx', OWNER_ONLY);
    }
  }

  private async reading<Result>(
    work: (file: FileHandle | null) => Promise<Result>,
  ): Promise<Result> {
    let file: FileHandle | null = null;
    try {
      file = await opened(this.path);
      return await work(file);
    } catch (error) {
      throw new UnusableErasuresError('read', error);
    } finally {
      await file?.close();
    }
  }

  private async writing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      await mkdir(dirname(this.path), { recursive: true });
      return await work();
    } catch (error) {
      throw unwritable(error);
    }
  }
}

function textOf(lines: readonly ErasureLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** An error of the file. What the database says keeps its own name. */
function unwritable(error: unknown): unknown {
  const isOfSystem = isError(error) && 'syscall' in error;
  return isOfSystem ? new UnusableErasuresError('written', error) : error;
}

/** Null for a file that is not there. */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
