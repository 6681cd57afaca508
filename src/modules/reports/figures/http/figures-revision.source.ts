import { Injectable, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { isMasked, principalOf } from '../../../../api/access/principal.js';
import { RevisionSource, type Variant } from '../../../../api/cache/revision-source.js';
import { ChangesFeedService } from '../../../../ledger/changes/changes-feed.service.js';
import { LedgerReadsService } from '../../../../ledger/revisions/ledger-reads.service.js';
import { todayInUtc } from '../../../../platform/values/time.js';
import { stateNumber } from '../figure.model.js';
import { wantsCsv } from '../../../../api/envelope/wants-csv.js';

/**
 * Keeps figures valid until the ledger of the calling vendor changes, with its names and recurring
 * payments, and at most until the day ends, because comparisons, ages and due payments depend on it.
 */
@Injectable()
export class FiguresRevisionSource extends RevisionSource {
  constructor(
    private readonly ledgers: LedgerReadsService,
    private readonly feed: ChangesFeedService,
  ) {
    super();
  }

  override userOf(context: ExecutionContext): number {
    return principalOf(context).user_id;
  }

  override viewOf(context: ExecutionContext): string {
    const request = context.switchToHttp().getRequest<Request>();
    const whole = isMasked(principalOf(context)) ? 'masked' : 'whole';
    return `${whole} ${wantsCsv(request) ? 'csv' : 'json'} ${todayInUtc()}`;
  }

  override async revisionOf(user_id: number): Promise<number> {
    const revision = await this.ledgers.revisionOf(user_id);
    return stateNumber({ revision, cursor: await this.feed.cursorNow(user_id) });
  }

  override variantsFor(): readonly Variant[] {
    return [];
  }
}
