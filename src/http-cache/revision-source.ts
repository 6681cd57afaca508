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

  /** The variants that this request may be answered with. */
  abstract variantsFor(request: Request): readonly Variant[];
}
