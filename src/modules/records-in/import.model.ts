import { recordOf } from '../../platform/values/record-of.js';
import { RECORD_TYPES, type RecordType } from '../../ledger/records/record-type.js';

/**
 * A line has one of these results. A `stale` line changes nothing, because a newer version of its
 * record is stored.
 */
export const VERDICTS = ['inserted', 'updated', 'unchanged', 'stale', 'rejected'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface ImportOptions {
  /** The name of the file, which the audit log records as the source of each change. */
  readonly source: string;
  /** If true, everything is checked and nothing is written. */
  readonly dryRun: boolean;
  /** If true, the import stops at the first bad line and applies nothing of that line's batch. */
  readonly strict: boolean;
  /**
   * Called for each rejected line. The problem contains the wrong value, which may be personal
   * data: show it to the person who imports, and do not log it.
   */
  readonly onProblem: (line: number, problem: string) => void;
  /** Called for each accepted line with a warning. Warnings contain values, too. */
  readonly onWarning: (line: number, warning: string) => void;
  /** Called after each batch with the number of the last line. */
  readonly onProgress: (lines: number) => void;
}

/**
 * Counts, for each record type, the lines with each result and the accepted lines with a warning.
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
