import { recordOf } from '../../common/record-of.js';
import { RECORD_TYPES, type RecordType } from '../../ledger-format/record-type.js';

/** `stale`: a newer version of the record is stored, so it changed nothing. */
export const VERDICTS = ['inserted', 'updated', 'unchanged', 'stale', 'rejected'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface ImportOptions {
  /** The source of a change in the audit log: the name of the file. */
  readonly source: string;
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean;
  /** Stops at the first bad line, with nothing of its batch applied. */
  readonly strict: boolean;
  /**
   * Called for each rejected line. The problem contains the wrong value, which may be personal data:
   * show it to the person who imports, and do not log it.
   */
  readonly onProblem: (line: number, problem: string) => void;
  /** Called for each line that was accepted with a warning, which contains values, too. */
  readonly onWarning: (line: number, warning: string) => void;
  /** Called after each batch with the number of the last line. */
  readonly onProgress: (lines: number) => void;
}

/**
 * How many lines of each type had which verdict, and how many accepted lines have a warning.
 * `unreadable` counts lines whose type is unknown.
 */
export type ImportSummary = Record<RecordType | 'unreadable', Record<Verdict | 'warnings', number>>;

export function emptySummary(): ImportSummary {
  const none = () => {
    return { inserted: 0, updated: 0, unchanged: 0, stale: 0, rejected: 0, warnings: 0 };
  };
  return recordOf([...RECORD_TYPES, 'unreadable'], none);
}

export function rejectedOf(summary: ImportSummary): number {
  return Object.values(summary).reduce((sum, { rejected }) => sum + rejected, 0);
}
