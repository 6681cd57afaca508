import type { Answer } from '../common/envelope/envelope.js';

/**
 * Adds a revision of the user's data to an answer: the one that the answer shows, or an older one.
 */
export interface AnswerAtRevision extends Answer {
  readonly revision: number;
  /** Null for the usual answer of the operation. */
  readonly variant?: Variant | null;
}

/**
 * Names a response header that distinguishes an answer from the usual one. It is a part of the
 * ETag.
 */
export interface Variant {
  readonly header: string;
  /** The value of the header. */
  readonly name: string;
}
