import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Variant } from '../../../http-cache/answer-at-revision.js';
import { RevisionSource } from '../../../http-cache/revision-source.js';
import { isMasked } from '../../accounts/account.model.js';
import { principalOf } from '../../accounts/http/current-principal.js';
import { PersonalReadLog } from '../../personal-reads/personal-read-log.service.js';
import {
  SHOWS_PERSONAL_DATA,
  type ShownPersonalData,
} from '../../personal-reads/shows-personal-data.model.js';
import { LedgerRevisionsService } from '../revisions/ledger-revisions.service.js';

/** Marks a response of a feed that ignores an unknown `paykey` (docs/api.md#versions-21-and-20). */
export const UNKNOWN_PAYKEY: Variant = { header: 'X-Paykey', name: 'unknown' };

/** Keeps responses with transactions valid until the ledger of the calling vendor changes. */
@Injectable()
export class LedgerRevisionSource extends RevisionSource {
  constructor(
    private readonly revisions: LedgerRevisionsService,
    private readonly personalReads: PersonalReadLog,
    private readonly reflector: Reflector,
  ) {
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

  /** Logs the read of personal data. */
  override onShown(context: ExecutionContext, count: number): void {
    if (!this.personalReads.isOn) return;
    const handler = context.getHandler();
    const shown = this.reflector.get<ShownPersonalData | undefined>(SHOWS_PERSONAL_DATA, handler);
    if (shown === undefined) return;
    const request = context.switchToHttp().getRequest<Request>();
    const { params, query } = request;
    const record = shown.of === undefined ? null : params[shown.of];
    this.personalReads.addOf(request, principalOf(context), shown.operation, {
      record_key: typeof record === 'string' ? record : null,
      first_day: dayIn(query.start_date),
      last_day: dayIn(query.end_date),
      records: count,
    });
  }

  /**
   * At one revision, a `paykey` is either known or unknown, so only one of the two variants exists.
   */
  override variantsFor({ params }: Request): readonly Variant[] {
    return params.paykey === undefined ? [] : [UNKNOWN_PAYKEY];
  }
}

/** Returns the day of a query parameter. The operation has already validated its parameters. */
function dayIn(parameter: unknown): string | null {
  return typeof parameter === 'string' ? parameter : null;
}
