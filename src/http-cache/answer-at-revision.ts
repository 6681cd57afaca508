import type { Answer } from '../common/envelope/envelope.js';

/** An answer, and the revision of the user's data that it shows, or an older one. */
export interface AnswerAtRevision extends Answer {
  readonly revision: number;
  /** Null for the usual answer of the operation. */
  readonly variant?: Variant | null;
}

/** A response header that marks an answer as another than the usual one; part of the ETag. */
export interface Variant {
  readonly header: string;
  /** The value of the header. */
  readonly name: string;
}
