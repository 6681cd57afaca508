import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import type { Reader } from '../../../database/database.js';
import { TRANSACTION_ID } from '../../../ledger-format/transaction.record.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import type { Viewer } from '../report.model.js';
import { SearchByEmail } from './search-by-email.js';
import {
  MIN_SEARCHED,
  type FoundSale,
  type SaleKey,
  type SearchPage,
  type SearchRequest,
} from './search.model.js';
import { SearchRepository } from './search.repository.js';
import { after, endOf } from '../../../database/text-ranges.js';

const PAGE_SIZE = 50;
/** The additional sale shows whether there is another page. */
const TAKE = PAGE_SIZE + 1;
/** Maximum number of ids that are read for a page, including those of other vendors. */
const MAX_IDS = 10_000;
const CURSOR = /^(ids|emails)-(\d{1,15})-(\d{1,15})$/;

/** Last sale of the preceding page, and the order in which the search found it. */
interface Position {
  readonly part: 'ids' | 'emails';
  readonly sale: FoundSale;
}

interface Search {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly text: string;
  readonly position: Position | null;
}

/**
 * Finds a user's sales by the beginning of their transaction ids, and a vendor's sales by the
 * beginning of the customers' e-mail addresses. Affiliates may not see customers.
 */
@Injectable()
export class SearchService {
  constructor(
    private readonly repository: SearchRepository,
    private readonly emails: SearchByEmail,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @throws ApiError invalid_parameters if the text is not a cursor of this user's search */
  search({ viewer, text, cursor }: SearchRequest): Promise<SearchPage> {
    return this.reads.readFor(viewer, async (reader) => {
      const position = cursor === null ? null : await this.positionOf(reader, viewer, cursor);
      const search = { reader, viewer, text, position };
      const { byId, hasMoreIds } = await this.findIds(search);
      const { keys, stoppedAt } = await this.findEmails(search, TAKE - byId.length);
      const shown = keys.slice(0, PAGE_SIZE - byId.length);
      const lastShown = shown.at(-1);
      const isFull = byId.length + keys.length > PAGE_SIZE;
      const next = isFull
        ? cursorAt(lastShown === undefined ? 'ids' : 'emails', lastShown ?? byId[PAGE_SIZE - 1])
        : cursorAt('emails', stoppedAt);
      return {
        byId: byId.slice(0, PAGE_SIZE),
        byEmail: await this.repository.salesOf(reader, shown),
        hasMoreIds,
        next,
      };
    });
  }

  private async findIds({ reader, viewer, text, position }: Search) {
    if (position?.part === 'emails' || !TRANSACTION_ID.test(text)) {
      return { byId: [], hasMoreIds: false };
    }
    // Skip users without sales: the id index spans all vendors.
    if (!(await this.repository.hasSales(reader, viewer))) return { byId: [], hasMoreIds: false };
    const from = position === null ? text : after(position.sale.transaction_id);
    const range = { from, until: text.length < MIN_SEARCHED ? after(text) : endOf(text) };
    const beyond = await this.repository.idAfter(reader, range, MAX_IDS);
    const looked = { from, until: beyond ?? range.until };
    const byId = await this.repository.salesById(reader, viewer, looked, TAKE);
    return { byId, hasMoreIds: beyond !== null && byId.length < TAKE };
  }

  private async findEmails({ reader, viewer, text, position }: Search, take: number) {
    if (viewer.role !== 'vendor' || text.length < MIN_SEARCHED || take <= 0) {
      return { keys: [], stoppedAt: null };
    }
    const customers = { vendor_id: viewer.user_id, text };
    const last = position?.part === 'emails' ? position.sale : null;
    return this.emails.find(reader, customers, last, take);
  }

  private async positionOf(reader: Reader, viewer: Viewer, cursor: string): Promise<Position> {
    const [, part, vendor_id, arrival] = CURSOR.exec(cursor) ?? [];
    const key = { vendor_id: Number(vendor_id), arrival: Number(arrival) };
    const sale = part === undefined ? null : await this.repository.saleAt(reader, viewer, key);
    if (sale === null) throw new ApiError('invalid_parameters', 'Invalid page link.');
    return { part: part === 'ids' ? 'ids' : 'emails', sale };
  }
}

function cursorAt(part: Position['part'], sale: SaleKey | null | undefined): string | null {
  return sale ? `${part}-${sale.vendor_id}-${sale.arrival}` : null;
}
