import { recordOf } from '../../common/record-of.js';
import { RECORD_TYPES, type RecordType } from '../../ledger-format/record-type.js';

export type Verdict = 'inserted' | 'updated' | 'unchanged' | 'rejected';

export interface ImportOptions {
  /** What the audit log names as the source of a change: the name of the file. */
  readonly source: string;
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean;
  /** Stops at the first bad line, with nothing of its batch applied. */
  readonly strict: boolean;
  /**
   * Told of each line that is rejected. It holds the value that is wrong, which may be personal: for
   * the eyes of whoever imports, not for the log.
   */
  readonly onProblem: (line: number, problem: string) => void;
  /** Told of each line that was taken though it is odd; holds values, too. */
  readonly onWarning: (line: number, warning: string) => void;
  /** Told after each batch how many lines have been taken in. */
  readonly onProgress: (lines: number) => void;
}

/**
 * How many lines of each type ended how, and how many of those taken have a warning; `unreadable` are
 * those of which not even the type is known.
 */
export type ImportSummary = Record<RecordType | 'unreadable', Record<Verdict | 'warnings', number>>;

export function emptySummary(): ImportSummary {
  const none = () => ({ inserted: 0, updated: 0, unchanged: 0, rejected: 0, warnings: 0 });
  return recordOf([...RECORD_TYPES, 'unreadable'], none);
}

export function rejectedOf(summary: ImportSummary): number {
  return Object.values(summary).reduce((sum, { rejected }) => sum + rejected, 0);
}
