import { Injectable } from '@nestjs/common';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { Database, type Reader } from '../../../platform/database/database.js';
import { SharedRoom } from '../../../platform/limits/memory/shared-room.js';
import { ProductsService } from '../../products/index.js';
import { ItemNamesService } from '../item-names.service.js';
import type { FigureAnswer, FigureRequest, LedgerState } from './figure.model.js';
import { FigureAnswersService, hasClicks, needsOf } from './figure-answers.service.js';
import { mayReadSales } from '../sums/figure-sources.js';

/** At most this many requests read sales at a time, one per account. */
const MAX_READING_SALES = 3;

/** Answers requests for figures of sales, exactly, from one state of the ledger. */
@Injectable()
export class FiguresService {
  private readonly room = SharedRoom.refusingNobody(MAX_READING_SALES);

  constructor(
    private readonly answers: FigureAnswersService,
    private readonly products: ProductsService,
    private readonly names: ItemNamesService,
    private readonly feed: ChangesFeedService,
    private readonly ledgers: LedgerReadsService,
    private readonly database: Database,
  ) {}

  /** @throws ApiError invalid_parameters if too much would be read or returned */
  async figures(request: FigureRequest): Promise<FigureAnswer> {
    const product_ids = await this.clickedProducts(request);
    const read = () =>
      this.inState(request, (reader, state) =>
        this.answers.answer(reader, request, product_ids, state),
      );
    const answer = await (mayReadSales(request, needsOf(request))
      ? this.room.during(request.viewer.user_id, 1, read)
      : read());
    return this.named(request, answer);
  }

  /**
   * Reads from one state of the database. Clicks and the sales of an affiliate are not covered by
   * the revision of a ledger, so they are read from the primary.
   */
  private inState<Result>(
    request: FigureRequest,
    work: (reader: Reader, state: LedgerState | null) => Promise<Result>,
  ): Promise<Result> {
    const { role, user_id } = request.viewer;
    if (role === 'vendor' && !hasClicks(request)) {
      return this.feed.readCurrent(user_id, async (reader, cursor) =>
        work(reader, { cursor, revision: await this.ledgers.revisionIn(reader, user_id) }),
      );
    }
    return this.database.readSnapshot(
      () => Promise.resolve(false),
      async (reader) => {
        if (role === 'affiliate') return work(reader, null);
        const revision = await this.ledgers.revisionIn(reader, user_id);
        return work(reader, { cursor: await this.feed.cursorNow(user_id, reader), revision });
      },
    );
  }

  /** Returns the products whose clicks count; null for those of all vendors. */
  private async clickedProducts(request: FigureRequest): Promise<readonly number[] | null> {
    if (!hasClicks(request)) return [];
    const { viewer, filter } = request;
    const { product_id } = filter;
    if (viewer.role === 'affiliate') return product_id === undefined ? null : [product_id];
    const products = await this.products.productsOf(viewer.user_id);
    const ids = products.map(({ id }) => id);
    return product_id === undefined ? ids : ids.filter((id) => id === product_id);
  }

  /** Adds the names of products and affiliates. */
  private async named(request: FigureRequest, answer: FigureAnswer): Promise<FigureAnswer> {
    const by = request.group;
    if (by !== 'product' && by !== 'affiliate') return answer;
    const ids = answer.groups.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));
    const names = await this.names.namesOf(request.viewer, by, ids);
    const groups = answer.groups.map((group) => {
      const { key } = group;
      return { ...group, name: typeof key === 'number' ? (names.get(key) ?? '') : null };
    });
    return { ...answer, groups };
  }
}
