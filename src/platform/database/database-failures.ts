import { codeOf, isError } from '../errors/is-error.js';

/** Milliseconds for which a failure is reported. A damaged file lasts until it is repaired. */
const TRANSIENT_MS = 60_000;
const DAMAGE_MS = 300_000;
const REPORT_INTERVAL_MS = 1_000;

/** Matches the codes of a damaged SQLite file. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** Matches the codes of a full or failing disk, or a read-only database. */
const FAILURE =
  /^(?:SQLITE_(?:FULL|IOERR|READONLY)|ER_(?:DISK_FULL|RECORD_FILE_FULL|ERROR_ON_WRITE|OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE)$)/;

/** System errors of a file that cannot be written. */
const UNWRITABLE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES']);

/** Remembers recent failures that affect all statements. */
export class DatabaseFailures {
  private latest: { readonly code: string; readonly notedAt: number } | null = null;
  /** Called for failures; for the same code at most once per second. */
  onFailure: (code: string) => void = () => undefined;

  /** Returns the code of a recent failure, or null. */
  get current(): string | null {
    if (this.latest === null) return null;
    const { code, notedAt } = this.latest;
    const lifetimeMs = DAMAGE.test(code) ? DAMAGE_MS : TRANSIENT_MS;
    return performance.now() - notedAt < lifetimeMs ? code : null;
  }

  /** Records the failure of a database call, if it fails. */
  async track<Result>(call: Promise<Result>): Promise<Result> {
    try {
      return await call;
    } catch (error) {
      const code = failureOf(error);
      if (code !== null) this.note(code);
      throw error;
    }
  }

  note(code: string): void {
    const isNew =
      this.latest?.code !== code || performance.now() - this.latest.notedAt > REPORT_INTERVAL_MS;
    if (!isNew) return;
    this.latest = { code, notedAt: performance.now() };
    this.onFailure(code);
  }
}

export function isFailure(code: string | null): boolean {
  return code !== null && (DAMAGE.test(code) || FAILURE.test(code) || UNWRITABLE.has(code));
}

/**
 * Returns the code of a failure that affects all statements.
 * @returns null for any other error
 */
export function failureOf(error: unknown): string | null {
  const code = codeOf(error) ?? '';
  if (isFailure(code)) return code;
  return isError(error) && error.cause !== undefined ? failureOf(error.cause) : null;
}
