import { Controller, Get, Query, Res, VERSION_NEUTRAL } from '@nestjs/common';
import type { Response } from 'express';
import { AnswerMemory } from '../../../../answer-memory/answer-memory.js';
import { LEDGER_PATH } from '../../../../common/api-versions.js';
import { endWork, onResponseEnd } from '../../../../common/envelope/response-end.js';
import { unauthorized } from '../../../../common/errors/api-error.js';
import { ApiOperation } from '../../../../routing/api-operation.js';
import { isMasked, isSamePrincipal, type Principal } from '../../../accounts/account.model.js';
import { CurrentPrincipal } from '../../../accounts/http/current-principal.js';
import { PrincipalsService } from '../../../accounts/principals.service.js';
import type { ChangeKind } from '../../change.model.js';
import type { FeedPage } from '../../feed/changes-feed.model.js';
import { ChangesFeedService } from '../../feed/changes-feed.service.js';
import {
  ShowsPersonalData,
  type AnswerWithReads,
} from '../../../personal-reads/shows-personal-data.model.js';
import { ChangeResults } from './change-results.presenter.js';
import { ChangesQuery } from './changes.query.js';

const DESCRIPTION = [
  'Returns what changed in your ledger, in the order in which it was committed: transactions as 3.0 shows them, recurring payments as 2.0, relationships as 2.1, products, and the affiliates of your transactions.',
  'Begin without `after`, then ask again with `after` set to `meta.cursor`, until `meta.has_more` is `false`. Then you hold the ledger as it was at that cursor. Cursors never expire.',
  'Each thing stands in the feed once, at its latest change, as it is now. A renamed affiliate is one change of the kind `affiliate`, not one of each of its transactions.',
  'Whatever leaves your ledger is one change of the kind `removed`, with the kind and the key of what you should delete; `kinds` does not leave it out. If it comes back, its own change replaces that one.',
  'With `wait`, an answer that would be empty waits until something changes.',
].join('\n\n');

const PERSONAL_KINDS: ReadonlySet<ChangeKind> = new Set(['transaction', 'recurring_payment']);

/** Serves the feed of changes. See docs/changes.md. */
@Controller({ path: `${LEDGER_PATH}/changes`, version: VERSION_NEUTRAL })
export class ChangesController {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly principals: PrincipalsService,
    private readonly memory: AnswerMemory,
  ) {}

  @Get()
  @ApiOperation({ id: 'listChanges', summary: 'List changes', description: DESCRIPTION })
  @ShowsPersonalData('listChanges')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) response: Response,
    @Query() query: ChangesQuery,
  ): Promise<AnswerWithReads> {
    const gone = new AbortController();
    onResponseEnd(response, () => {
      gone.abort();
    });
    const criteria = query.toCriteria(principal.user_id, isMasked(principal));
    const wait = { hasBegun: false };
    const page = await this.feed.pageAfter(criteria, {
      ms: query.waitMs,
      isGone: gone.signal,
      onWait: () => {
        wait.hasBegun = true;
        endWork(response);
      },
    });
    const { items, cursor, has_more } = wait.hasBegun
      ? await this.forCaller(principal, page)
      : page;
    const records = items.filter(({ kind }) => PERSONAL_KINDS.has(kind)).length;
    const results = new ChangeResults(items);
    this.memory.hold(response, principal.user_id, 2 * results.byteLength);
    return {
      results,
      meta: { cursor: String(cursor), has_more },
      reads: records === 0 ? [] : [{ records }],
    };
  }

  /**
   * Returns the page unless the key has changed while the request waited. Then the page is empty,
   * and the next call uses the new rights of the key.
   * @throws ApiError `key_invalid` if the key was revoked or has expired
   */
  private async forCaller(principal: Principal, page: FeedPage): Promise<FeedPage> {
    if (page.items.length === 0) return page;
    const now = await this.principals.again(principal);
    if (now === null) {
      throw unauthorized('key_invalid', 'This key was revoked or has expired meanwhile.');
    }
    if (isSamePrincipal(now, principal)) return page;
    const before = (page.items[0]?.sequence ?? 1) - 1;
    return { items: [], cursor: before, has_more: true };
  }
}
