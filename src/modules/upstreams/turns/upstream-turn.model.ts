import type { ProblemChanges, UpstreamProblem } from '../problems/upstream-problem.model.js';
import type { AddedRead, ReadKey, Upstream, UpstreamRead } from '../upstream.model.js';

/** Another process reads from the upstream now, or it was paused or removed. */
export class TurnLostError extends Error {}

/** The right to read from an upstream, and to write what was read: one process has it at a time. */
export interface UpstreamTurn {
  readonly claim: string;
  /** As of the last write. */
  readonly upstream: Upstream;
}

/** What changes with what was read, in the same transaction. */
export interface TurnChanges {
  readonly upstream?: Partial<Upstream>;
  /** To be read by themselves. */
  readonly added?: readonly AddedRead[];
  /** Were read. */
  readonly done?: readonly UpstreamRead[];
  /** Failed, and are to be tried again later. */
  readonly postponed?: readonly UpstreamRead[];
  /** Subjects that were read besides `done`, and what is wrong with what was read. */
  readonly problems?: Partial<ProblemChanges>;
  /** The run that ends: problems of its days that it did not find again are gone. */
  readonly ended?: Pick<Upstream, 'run' | 'run_began' | 'first_day'>;
}

/** The turn after a write. */
export interface WrittenTurn {
  readonly turn: UpstreamTurn;
  /** Problems that were not known before. */
  readonly newProblems: readonly UpstreamProblem[];
}

/** The subject of the problems of a read. A sale that is sought was notified. */
export function subjectOfRead({ kind, record_key }: Pick<ReadKey, 'kind' | 'record_key'>): string {
  return `${kind === 'sought' ? 'notified' : kind} ${record_key}`;
}
