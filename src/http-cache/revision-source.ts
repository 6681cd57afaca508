import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Variant } from './answer-at-revision.js';

/** The revision of a user's data. A module with tagged answers provides one. */
export abstract class RevisionSource {
  /** The user whose data is requested. */
  abstract userOf(context: ExecutionContext): number;

  /** What the caller sees of it, if not everything: part of what identifies an answer. */
  abstract viewOf(context: ExecutionContext): string | null;

  /** Reads the current revision, which changes in the same transaction as the data. */
  abstract revisionOf(user_id: number): Promise<number>;

  /**
   * Called for each answer that is sent with its body, also from the cache; not for a 304.
   * @param count the number of its results
   */
  abstract onShown(context: ExecutionContext, count: number): void;

  /** The variants that this request may be answered with. */
  abstract variantsFor(request: Request): readonly Variant[];
}
