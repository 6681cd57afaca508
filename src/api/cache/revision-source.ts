import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Answer } from '../envelope/envelope.js';

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

/** Reads the revision of a user's data. A module with tagged answers provides one. */
export abstract class RevisionSource {
  /** Returns the user whose data is requested. */
  abstract userOf(context: ExecutionContext): number;

  /**
   * Returns the part of the data that the caller sees, or null for everything. Answers for
   * different parts have different ETags.
   */
  abstract viewOf(context: ExecutionContext): string | null;

  /** Reads the current revision, which changes in the same transaction as the data. */
  abstract revisionOf(user_id: number): Promise<number>;

  /** Returns the variants with which this request may be answered. */
  abstract variantsFor(request: Request): readonly Variant[];
}
