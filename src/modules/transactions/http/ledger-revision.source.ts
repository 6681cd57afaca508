import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Variant } from '../../../http-cache/answer-at-revision.js';
import { RevisionSource } from '../../../http-cache/revision-source.js';
import { principalOf } from '../../accounts/http/current-principal.js';
import { LedgerRevisionsService } from '../revisions/ledger-revisions.service.js';
import { UNKNOWN_PAYKEY } from './unknown-paykey.js';

/** The answers of transactions hold as long as the ledger of the vendor who calls does not change. */
@Injectable()
export class LedgerRevisionSource extends RevisionSource {
  constructor(private readonly revisions: LedgerRevisionsService) {
    super();
  }

  override userOf(context: ExecutionContext): number {
    return principalOf(context).user_id;
  }

  override revisionOf(user_id: number): Promise<number> {
    return this.revisions.revisionOf(user_id);
  }

  /** At one revision a feed has a paykey or has it not: only one of the two answers was ever sent. */
  override variantsFor({ params }: Request): readonly Variant[] {
    return params.paykey === undefined ? [] : [UNKNOWN_PAYKEY];
  }
}
