import type { Answer } from '../../../../common/envelope/envelope.js';
import { recordOf } from '../../../../common/record-of.js';
import { VERDICTS } from '../../import.model.js';
import type { RecordResult } from '../../incoming/incoming.model.js';

/** Presents the result of each record, and counts them by result. */
export function presentResults(results: readonly RecordResult[]): Answer {
  const summary = recordOf(VERDICTS, () => 0);
  for (const { verdict } of results) summary[verdict] += 1;
  return {
    meta: { summary },
    results: results.map(({ line, type, key, verdict, problem }) => {
      return { line, type, key, verdict, problem };
    }),
  };
}
