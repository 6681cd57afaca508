import { Controller, Get, Query, Res, VERSION_NEUTRAL, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { AnswerMemory } from '../../platform/limits/memory/answer-memory.js';
import { LEDGER_PATH } from '../../api/versions/api-versions.js';
import { endWork, onResponseEnd } from '../../api/envelope/response-end.js';
import { unauthorized } from '../../api/errors/api-error.js';
import { ApiOperation } from '../../api/versions/api-operation.js';
import {
  isMasked,
  isSamePrincipal,
  type Principal,
  CurrentPrincipal,
  Principals,
} from '../../api/access/principal.js';
import { CHANGE_KINDS, isLedgerKind, LEDGER_KINDS, REMOVED_KIND } from './change.model.js';
import {
  ChangesFeedService,
  type FeedPage,
  type FeedItem,
  feedItemJson,
  FEED_BYTES,
  FEED_LIMIT,
  FEED_WAIT,
  type FeedCriteria,
} from './changes-feed.service.js';
import { ShowsPersonalData, type AnswerWithReads } from '../../api/access/personal-reads.js';
import { JsonResults } from '../../api/envelope/envelope.js';
import { ApiField } from '../../api/validation/api-field.js';
import { cursorText, readCursor } from '../../api/validation/feed-cursor.js';
import { IsCursor, IsInteger, IsListOf } from '../../api/validation/validators.js';

/** Describes the query of `GET /ledger/v1/changes`. Each field holds the text as sent. */
class ChangesQuery {
  @ApiField('The cursor of the last answer; `0` is the beginning.', '0')
  @IsCursor()
  after = '0';

  @ApiField('Maximum number of changes in the answer.', FEED_LIMIT.default)
  @IsInteger(FEED_LIMIT)
  limit = String(FEED_LIMIT.default);

  @ApiField(
    'Only changes of these kinds, with commas between them. Changes of the kind `removed` are always there.',
    CHANGE_KINDS.join(','),
  )
  @IsListOf(CHANGE_KINDS)
  kinds = CHANGE_KINDS.join(',');

  @ApiField('Seconds to wait for a change if there is none yet.', FEED_WAIT.default)
  @IsInteger(FEED_WAIT)
  wait = String(FEED_WAIT.default);

  get waitMs(): number {
    return Number(this.wait) * 1_000;
  }

  /** @param known kinds of all records in the feed */
  toCriteria(vendor_id: number, isMasked: boolean, known: readonly string[]): FeedCriteria {
    const words = new Set(this.kinds.split(','));
    const { position, walk_from } = readCursor(this.after) ?? { position: 0, walk_from: 0 };
    return {
      vendor_id,
      isMasked,
      after: position,
      walk_from,
      limit: Number(this.limit),
      max_bytes: FEED_BYTES,
      kinds: known.filter((kind) => words.has(kind)),
    };
  }
}

/** Returns the query of a service whose extensions add these kinds. */
function queryWith(added: readonly string[]): Type<ChangesQuery> {
  const words = [...CHANGE_KINDS, ...added];
  class ExtendedQuery extends ChangesQuery {
    @IsListOf(words)
    override kinds = words.join(',');
  }
  return ExtendedQuery;
}

/** Returns the class that takes the place of each query class, if extensions add kinds. */
export function extendedQueries({ kinds }: ChangesFeedService): ReadonlyMap<unknown, Type> {
  const added = kinds.slice(LEDGER_KINDS.length);
  return new Map(added.length === 0 ? [] : [[ChangesQuery, queryWith(added)]]);
}

/** Writes changes as JSON, each with its object in a field named after its kind. */
class ChangeResults extends JsonResults {
  readonly count: number;
  readonly byteLength: number;
  private readonly texts: readonly string[];

  constructor(items: readonly FeedItem[]) {
    super();
    this.texts = items.map(feedItemJson);
    this.count = items.length;
    const commas = Math.max(0, items.length - 1);
    this.byteLength = this.texts.reduce((sum, text) => sum + Buffer.byteLength(text), commas);
  }

  writeTo(target: Buffer, position: number): number {
    let end = position;
    this.texts.forEach((text, index) => {
      if (index > 0) end += target.write(',', end);
      end += target.write(text, end);
    });
    return end;
  }
}

const DESCRIPTION = [
  'Returns what changed in your ledger, in the order in which it was committed: transactions as 3.0 shows them, recurring payments as 2.0, relationships as 2.1, products, and the affiliates of your transactions.',
  'Begin without `after`, then ask again with `after` set to `meta.cursor`, until `meta.has_more` is `false`. Then you hold the ledger as it was at that cursor. Cursors never expire.',
  'Each thing stands in the feed once, at its latest change, as it is now. A renamed affiliate is one change of the kind `affiliate`, not one of each of its transactions.',
  'A transaction and a recurring payment carry `reasons`: what happened to it since you last had everything, that is, since `meta.has_more` was last `false`. A reason may come twice, and none is lost.',
  'Whatever leaves your ledger is one change of the kind `removed`, with the kind and the key of what you should delete; `kinds` does not leave it out. If it comes back, its own change replaces that one.',
  'With `wait`, an answer that would be empty waits until something changes.',
].join('\n\n');

const PERSONAL_KINDS: ReadonlySet<string> = new Set(['transaction', 'recurring_payment']);

/** Returns true if an object of the kind may show personal data, as any of an extension may. */
function isPersonal({ kind }: FeedItem): boolean {
  return PERSONAL_KINDS.has(kind) || !(isLedgerKind(kind) || kind === REMOVED_KIND);
}

/** Serves the feed of changes. See docs/changes.md. */
@Controller({ path: `${LEDGER_PATH}/changes`, version: VERSION_NEUTRAL })
export class ChangesController {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly principals: Principals,
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
    const criteria = query.toCriteria(principal.user_id, isMasked(principal), this.feed.kinds);
    const wait = { hasBegun: false };
    const page = await this.feed.pageAfter(criteria, {
      ms: query.waitMs,
      isGone: gone.signal,
      onWait: () => {
        wait.hasBegun = true;
        endWork(response);
      },
    });
    const { items, cursor, walk_from, has_more } = wait.hasBegun
      ? await this.forCaller(principal, criteria, page)
      : page;
    const records = items.filter(isPersonal).length;
    const results = new ChangeResults(items);
    this.memory.hold(response, principal.user_id, 2 * results.byteLength);
    return {
      results,
      meta: { cursor: cursorText({ position: cursor, walk_from }), has_more },
      reads: records === 0 ? [] : [{ records }],
    };
  }

  /**
   * Returns the page unless the key has changed while the request waited. Then the page is empty,
   * and the next call uses the new rights of the key.
   * @throws ApiError `key_invalid` if the key was revoked or has expired
   */
  private async forCaller(
    principal: Principal,
    { after, walk_from = after }: FeedCriteria,
    page: FeedPage,
  ): Promise<FeedPage> {
    if (page.items.length === 0) return page;
    const now = await this.principals.again(principal);
    if (now === null) {
      throw unauthorized('key_invalid', 'This key was revoked or has expired meanwhile.');
    }
    if (isSamePrincipal(now, principal)) return page;
    const before = (page.items[0]?.sequence ?? 1) - 1;
    return { items: [], cursor: before, walk_from, has_more: true };
  }
}
