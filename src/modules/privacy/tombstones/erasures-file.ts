import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { codeOf, isError } from '../../../platform/errors/is-error.js';
import { ensureWritable, OWNER_ONLY } from '../../../platform/files/owner-only-file.js';
import { recordIn } from '../../../platform/values/is-record.js';
import { PRIVACY } from '../privacy.feature.js';
import { type Tombstone, UnusableErasuresError } from './erased-person.model.js';

const PERSON = /^[0-9a-f]{64}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const FILE_ID = /^[0-9a-f]{32}$/;

/** These are the contents of some lines of a file of erasures. */
export interface Erasures {
  /** Encrypted forms of the key of the hashes, the latest last. */
  readonly secrets: readonly string[];
  readonly tombstones: readonly Tombstone[];
}

/** Returns the contents of lines of JSON from a file of erasures. */
export function erasuresIn(lines: readonly string[]): Erasures {
  const secrets: string[] = [];
  const tombstones: Tombstone[] = [];
  for (const line of lines) {
    const value = recordIn(line) ?? {};
    if (typeof value.secret === 'string') secrets.push(value.secret);
    const tombstone = tombstoneIn(value);
    if (tombstone !== null) tombstones.push(tombstone);
  }
  return { secrets, tombstones };
}

/** Returns the id of a file from its first line, or null if the line has none. */
function fileIdIn(line: string): string | null {
  const { erasures_file: id } = recordIn(line) ?? {};
  return typeof id === 'string' && FILE_ID.test(id) ? id : null;
}

function tombstoneIn(value: Readonly<Record<string, unknown>>): Tombstone | null {
  const { vendor_id, person, erased_at } = value;
  if (typeof vendor_id !== 'number' || !Number.isSafeInteger(vendor_id)) return null;
  if (typeof person !== 'string' || !PERSON.test(person)) return null;
  if (typeof erased_at !== 'string' || !DATE_TIME.test(erased_at)) return null;
  return { vendor_id, person, erased_at };
}

const NEWLINE = 0x0a;
/** The first line of a file is shorter than this. */
const HEAD_BYTES = 128;
/** A part has about 2,000 tombstones. */
const PART_BYTES = 256 * 1024;
const ENDING_BYTES = 4_096;
/** A new file that nobody has written to for this long was left by a crash. */
const ABANDONED_MS = 600_000;

type ErasureLine = Tombstone | { readonly secret: string };

/** A part of the file ends at the end of a line. */
export interface FilePart extends Erasures {
  /** Position in the file where the next part begins. */
  readonly bytes: number;
}

/**
 * Returns the path of the file of erasures. By default the file is beside the SQLite database file,
 * or in the folder `data` for a database on a server.
 */
export function erasuresFileOf(settings: Settings): string {
  const { database } = settings;
  const beside = database.dialect === 'sqlite' ? database.path : `data/${database.database}`;
  return valueOf(settings, PRIVACY.settings.erasuresFile) ?? `${beside}.erasures.ndjson`;
}

/**
 * Reads and writes the file of erasures. Its first line has the id of the file. Each other line is
 * JSON with a tombstone or the encrypted key. The file is never shortened. It outlives the
 * database, which may be restored from a backup older than an erasure.
 */
@Injectable()
export class ErasuresFile {
  readonly path: string;

  constructor(settings: Settings) {
    this.path = erasuresFileOf(settings);
  }

  /**
   * Returns the id in the first line and the size of the file. The id is null if the file is of a
   * previous version or does not exist.
   * @throws UnusableErasuresError if the file cannot be read
   */
  head() {
    return this.reading(async (file) => {
      if (file === null) return { id: null, bytes: 0 };
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      const [first = ''] = buffer.toString('latin1', 0, bytesRead).split('\n');
      return { id: fileIdIn(first), bytes: size };
    });
  }

  /**
   * Returns a hash of the last bytes before a position.
   * @throws UnusableErasuresError if the file cannot be read
   */
  endingAt(bytes: number): Promise<string> {
    return this.reading(async (file) => {
      const length = Math.min(bytes, ENDING_BYTES);
      const buffer = Buffer.alloc(length);
      if (file !== null) await file.read(buffer, 0, length, bytes - length);
      return createHash('sha256').update(buffer).digest('hex');
    });
  }

  /**
   * Reads the file from a position, part by part. Lines of an interrupted write are skipped. A last
   * line without a line end is read again the next time.
   * @throws UnusableErasuresError if the file cannot be read
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
      // Lines of this format are shorter than a part, so this one is skipped.
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

  /**
   * Checks at the start of the service that the file could be written.
   * @throws UnusableErasuresError if it could not
   */
  async checkFolder(): Promise<void> {
    try {
      await ensureWritable(dirname(this.path));
    } catch (error) {
      throw new UnusableErasuresError('written', error);
    }
  }

  /**
   * Adds lines, and returns when they are on the disk.
   * @throws UnusableErasuresError if the file cannot be written
   */
  async append(lines: readonly ErasureLine[]): Promise<void> {
    if (lines.length === 0) return;
    await this.writing(async () => {
      const file = await open(this.path, 'a', OWNER_ONLY);
      try {
        // The text begins with a line end, because the last line may be incomplete after an
        // interruption.
        await file.appendFile(`\n${textOf(lines)}`);
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  /**
   * Replaces a file without an id by one with an id, which is first written beside it. Lines that
   * an instance of the previous version adds meanwhile are lost if they are not in the database,
   * which happens only if that erasure failed.
   * @returns the number of bytes written, or null if another process does or did the same
   * @throws UnusableErasuresError if the file cannot be written
   */
  replace(id: string, parts: AsyncIterable<readonly ErasureLine[]>): Promise<number | null> {
    return this.writing(async () => {
      const path = `${this.path}.new`;
      const file = await this.openNew(path);
      if (file === null) return null;
      let isMoved = false;
      try {
        if ((await this.head()).id !== null) return null;
        await file.appendFile(`${JSON.stringify({ erasures_file: id })}\n`);
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

  /** Creates the new file. @returns null if another process writes it */
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

  private async reading<Result>(work: (file: FileHandle | null) => Promise<Result>) {
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

/**
 * Converts an error of the file system. Other errors, such as those of the database, stay as they
 * are.
 */
function unwritable(error: unknown): unknown {
  const isOfSystem = isError(error) && 'syscall' in error;
  return isOfSystem ? new UnusableErasuresError('written', error) : error;
}

/** Opens the file. @returns null if it does not exist */
async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
