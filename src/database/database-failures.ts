import { codeOf, isError } from '../common/errors/is-error.js';

/** A server or a disk may be well again soon; a damaged file is so until somebody mends it. */
const PASSING_MS = 60_000;
const LASTING_MS = 300_000;
const TOLD_AGAIN_MS = 1_000;

/** A damaged file, by how the codes of SQLite begin. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** A disk that is full or fails, and what can only be read. */
const FAILURE =
  /^(?:SQLITE_(?:FULL|IOERR|READONLY)|ER_(?:DISK_FULL|RECORD_FILE_FULL|ERROR_ON_WRITE|OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE)$)/;

/** What the system says of a file that can not be written. */
const UNWRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES']);

/** Remembers for a while that a statement failed in a way that others will, too. */
export class DatabaseFailures {
  private latest: { readonly code: string; readonly notedAt: number } | null = null;
  private tell: (code: string) => void = () => undefined;

  /** The code of the driver, or null where nothing has failed lately. */
  get current(): string | null {
    if (this.latest === null) return null;
    const { code, notedAt } = this.latest;
    const keptMs = DAMAGE.test(code) ? LASTING_MS : PASSING_MS;
    return performance.now() - notedAt < keptMs ? code : null;
  }

  /** @param tell is told of failures, at most once a second */
  listen(tell: (code: string) => void): void {
    this.tell = tell;
  }

  /** Runs what asks the database, and notes how it fails. */
  async noting<Result>(asked: Promise<Result>): Promise<Result> {
    try {
      return await asked;
    } catch (error) {
      const code = failureOf(error);
      if (code !== null) this.note(code);
      throw error;
    }
  }

  note(code: string): void {
    const isNews =
      this.latest?.code !== code || performance.now() - this.latest.notedAt > TOLD_AGAIN_MS;
    if (!isNews) return;
    this.latest = { code, notedAt: performance.now() };
    this.tell(code);
  }
}

/** @param code of a driver or of the system */
export function isFailure(code: string | null): boolean {
  return code !== null && (DAMAGE.test(code) || FAILURE.test(code) || UNWRITABLE.has(code));
}

/** @returns the code of such a failure, or null for any other error */
export function failureOf(error: unknown): string | null {
  const code = codeOf(error) ?? '';
  if (isFailure(code)) return code;
  return isError(error) && error.cause !== undefined ? failureOf(error.cause) : null;
}
