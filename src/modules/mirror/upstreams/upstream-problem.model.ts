/**
 * Describes a record that was not read from an upstream, not stored, or changed before it was
 * stored.
 */
export interface UpstreamProblem {
  /** The record, such as `transaction 4711`. It has at most one problem of each kind. */
  readonly subject: string;
  /**
   * A kind such as `transaction not stored: amount`. It contains no value of the upstream, so it
   * may be logged.
   */
  readonly kind: string;
  /** The text for users. It may quote the upstream, so it must not be logged. */
  readonly text: string;
  /** The day of the sale if a list of sales shows the problem; see `UpstreamProblemsRepository.settle`. */
  readonly day?: string;
}

/** Describes changes of the problems of an upstream. */
export interface ProblemChanges {
  /** Subjects that were read again, so that their earlier problems are removed. */
  readonly checked: readonly string[];
  readonly found: readonly UpstreamProblem[];
}

/** Summarizes the problems of one kind. */
export interface ProblemKind {
  readonly kind: string;
  readonly count: number;
  /** The text of the first problem; null if it was removed because a person was erased. */
  readonly example: string | null;
}

/**
 * At most this many problems of an upstream are stored. Beyond that, only one of each further kind
 * is stored.
 */
export const MAX_PROBLEMS = 10_000;

export function problemCountOf(kinds: readonly ProblemKind[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}

/** Returns the number of problems in words, such as `17 problems`. */
export function problemsTextOf(kinds: readonly ProblemKind[]): string {
  const count = problemCountOf(kinds);
  if (count === 1) return '1 problem';
  return `${count >= MAX_PROBLEMS ? 'at least ' : ''}${count.toLocaleString('en')} problems`;
}

/** Returns a text that is different for each subject and kind. */
export function nameOfProblem({
  subject,
  kind,
}: Pick<UpstreamProblem, 'subject' | 'kind'>): string {
  return `${kind}\n${subject}`;
}

/**
 * Returns each problem once, up to the maximum, and the first one of each new kind.
 * @param stored the problems that are stored already
 */
export function storableProblems(
  found: readonly UpstreamProblem[],
  stored: readonly ProblemKind[],
): UpstreamProblem[] {
  const distinct = new Map(found.map((problem) => [nameOfProblem(problem), problem]));
  const kinds = new Set(stored.map(({ kind }) => kind));
  let room = MAX_PROBLEMS - problemCountOf(stored);
  return [...distinct.values()].filter(({ kind }) => {
    const isFitting = room > 0 || !kinds.has(kind);
    kinds.add(kind);
    if (isFitting) room -= 1;
    return isFitting;
  });
}
