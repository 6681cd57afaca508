import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Variant } from './answer-at-revision.js';

/**
 * Whose data the operations of a module show, and at which revision it is. A module whose answers are
 * tagged provides one.
 */
export abstract class RevisionSource {
  /** The user whose data is asked for. */
  abstract userOf(context: ExecutionContext): number;

  /**
   * Reads the revision as it is now: a number that changes in the same transaction with whatever the
   * answers to this user show.
   */
  abstract revisionOf(user_id: number): Promise<number>;

  /** What the request may be answered with instead of the usual answer. */
  abstract variantsFor(request: Request): readonly Variant[];
}
