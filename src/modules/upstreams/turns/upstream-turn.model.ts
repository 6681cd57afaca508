import type { ReadKey, Upstream, UpstreamRead } from '../upstream.model.js';

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
  /** To be read by themselves, at once. */
  readonly added?: readonly ReadKey[];
  /** Were read. */
  readonly done?: readonly UpstreamRead[];
}
