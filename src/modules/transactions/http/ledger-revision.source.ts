import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Variant, RevisionSource } from '../../../api/cache/revision-source.js';
import { isMasked, principalOf } from '../../../api/access/principal.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';

/** Marks a response of a feed that ignores an unknown `paykey` (docs/api.md#versions-21-and-20). */
export const UNKNOWN_PAYKEY: Variant = { header: 'X-Paykey', name: 'unknown' };

/** Keeps responses with transactions valid until the ledger of the calling vendor changes. */
@Injectable()
export class LedgerRevisionSource extends RevisionSource {
  constructor(private readonly revisions: LedgerReadsService) {
    super();
  }

  override userOf(context: ExecutionContext): number {
    return principalOf(context).user_id;
  }

  override viewOf(context: ExecutionContext): string | null {
    return isMasked(principalOf(context)) ? 'masked' : null;
  }

  override revisionOf(user_id: number): Promise<number> {
    return this.revisions.revisionOf(user_id);
  }

  /**
   * At one revision, a `paykey` is either known or unknown, so only one of the two variants exists.
   */
  override variantsFor({ params }: Request): readonly Variant[] {
    return params.paykey === undefined ? [] : [UNKNOWN_PAYKEY];
  }
}
