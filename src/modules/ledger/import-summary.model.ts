import { recordOf } from '../../common/record-of.js';
import { RECORD_TYPES, type RecordType, type Verdict } from './ledger.model.js';

export interface ImportOptions {
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean;
  /** Stops at the first bad line, with nothing of its batch applied. */
  readonly strict: boolean;
  readonly onProblem: (line: number, problem: string) => void;
  /** Told after each batch how many lines have been taken in. */
  readonly onProgress: (lines: number) => void;
}

/** How many lines of each type ended how; `unreadable` are those of which not even the type is known. */
export type ImportSummary = Record<RecordType | 'unreadable', Record<Verdict, number>>;

export function emptySummary(): ImportSummary {
  const none = () => ({ inserted: 0, updated: 0, unchanged: 0, rejected: 0 });
  return recordOf([...RECORD_TYPES, 'unreadable'], none);
}

export function rejectedOf(summary: ImportSummary): number {
  return Object.values(summary).reduce((sum, { rejected }) => sum + rejected, 0);
}
