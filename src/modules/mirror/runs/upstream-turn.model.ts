import type { Held } from '../../../platform/jobs/lease.js';
import type { ProblemChanges, UpstreamProblem } from '../upstreams/upstream-problem.model.js';
import type { AddedRead, ReadKey, Upstream, UpstreamRead } from '../upstreams/upstream.model.js';

/**
 * An upstream, after the last write, from which this process may read and whose records it may
 * write. One process at a time may do so.
 */
export type UpstreamTurn = Held<Upstream>;

/** Describes the changes that are written together with the records, in the same transaction. */
export interface TurnChanges {
  readonly upstream?: Partial<Upstream>;
  /** Reads that are added. */
  readonly added?: readonly AddedRead[];
  /** Reads that are done. */
  readonly done?: readonly UpstreamRead[];
  /** Reads that failed and are tried again later. */
  readonly postponed?: readonly UpstreamRead[];
  /** Subjects that were read besides `done`, and the problems that were found. */
  readonly problems?: Partial<ProblemChanges>;
  /** The run that ends. Problems of its days that it did not find again are removed. */
  readonly ended?: Pick<Upstream, 'run' | 'run_began' | 'first_day'>;
}

/** Holds the result of a write. */
export interface WrittenTurn {
  readonly turn: UpstreamTurn;
  /** Problems that were not stored before. */
  readonly newProblems: readonly UpstreamProblem[];
}

/** Returns the subject of the problems of a read. A `sought` sale was notified before. */
export function subjectOfRead({ kind, record_key }: Pick<ReadKey, 'kind' | 'record_key'>): string {
  return `${kind === 'sought' ? 'notified' : kind} ${record_key}`;
}
