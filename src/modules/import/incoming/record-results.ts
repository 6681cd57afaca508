import type { LineOutcome } from '../import-batch.js';
import type { RecordResult } from './incoming.model.js';

/** A problem has at most this many characters, so that the answer to 10,000 records stays small. */
const MAX_PROBLEM = 500;

/** Converts the outcome of a line into the result that its sender receives. */
export function resultOf({
  line,
  type,
  key,
  verdict,
  problem,
  warning,
}: LineOutcome): RecordResult {
  const told = problem ?? warning;
  return {
    line,
    type: type === 'unreadable' ? null : type,
    key,
    verdict,
    problem: told === undefined ? null : shortened(told),
  };
}

export function shortened(text: string): string {
  return text.length > MAX_PROBLEM ? `${text.slice(0, MAX_PROBLEM).toWellFormed()}…` : text;
}
