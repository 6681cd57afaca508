import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import type { Reader } from '../../../platform/database/database.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import type { Viewer } from '../report.model.js';
import {
  MIN_SEARCHED,
  type FoundSale,
  type SaleKey,
  type SearchPage,
  type SearchRequest,
  type EmailKey,
} from './search.model.js';
import { SearchRepository } from './search.repository.js';
import {
  after,
  endOf,
  beginsWith,
  lowerCase,
  nextSpelling,
  upperCase,
} from '../../../platform/database/entities/spellings.js';

/**
 * Maximum number of reads for a page. Few are needed, unless the ledger's e-mail addresses mix
 * upper and lower case.
 */
const MAX_READS = 50;
/** A position before every sale of a customer, newest first. */
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER } as const;

interface EmailsFound {
  readonly keys: readonly EmailKey[];
  /**
   * Position where the next page continues, if the search ended before the page was full and before
   * the last e-mail address; otherwise null.
   */
  readonly stoppedAt: EmailKey | null;
}

/**
 * Finds customers by the beginning of their e-mail addresses, ignoring the case of the letters A to
 * Z. The ledger and its index compare e-mail addresses byte for byte, so the search visits all
 * spellings in the index and skips the entries between them. No additional column has to be stored
 * and kept up to date.
 */
@Injectable()
export class SearchByEmail {
  constructor(private readonly repository: SearchRepository) {}

  /**
   * Returns sales in the order of the e-mail addresses, the newest first for each.
   * @param position the last sale that the search has read, or null at the beginning
   */
  async find(
    reader: Reader,
    { vendor_id, text }: { readonly vendor_id: number; readonly text: string },
    position: EmailKey | null,
    take: number,
  ): Promise<EmailsFound> {
    const keys = await this.restOf(reader, text, position, take);
    const until = endOf(lowerCase(text));
    const begin = position === null ? upperCase(text) : after(position.customer_email);
    let from = nextSpelling(text, begin);
    let last = position;
    for (let reads = 0; from !== null && keys.length < take; reads += 1) {
      if (reads === MAX_READS) return { keys, stoppedAt: last };
      const size = take - keys.length + 1;
      const run = await this.repository.emailsFrom(reader, vendor_id, { from, until }, size);
      last = run.length === size ? (run.at(-1) ?? null) : null;
      const found = run.filter(({ customer_email }) => beginsWith(customer_email, text));
      for (const sales of byEmail(found)) {
        const isCut = sales[0]?.customer_email === last?.customer_email;
        keys.push(...(isCut ? await this.newestOf(reader, sales, take) : sales));
      }
      // The next page begins after the oldest sale that was found of this customer, so that none is
      // found twice.
      if (keys.at(-1)?.customer_email === last?.customer_email) last = keys.at(-1) ?? null;
      from = last === null ? null : nextSpelling(text, after(last.customer_email));
    }
    return { keys, stoppedAt: null };
  }

  /** Returns the sales of a customer that the preceding page left over. */
  private async restOf(
    reader: Reader,
    text: string,
    position: EmailKey | null,
    take: number,
  ): Promise<EmailKey[]> {
    if (position === null || !beginsWith(position.customer_email, text)) return [];
    return this.repository.salesBefore(reader, position, take);
  }

  /** Returns the newest sales of a customer who has more sales than were read. */
  private async newestOf(
    reader: Reader,
    [sale]: readonly EmailKey[],
    take: number,
  ): Promise<EmailKey[]> {
    return sale === undefined
      ? []
      : this.repository.salesBefore(reader, { ...sale, ...NEWEST }, take);
  }
}

/** Groups the sales by e-mail address, newest first. */
function byEmail(sales: readonly EmailKey[]): EmailKey[][] {
  const groups = new Map<string, EmailKey[]>();
  for (const sale of sales) {
    const group = groups.get(sale.customer_email);
    if (group === undefined) groups.set(sale.customer_email, [sale]);
    else group.push(sale);
  }
  return Array.from(groups.values(), (group) => group.sort(newestFirst));
}

function newestFirst(left: EmailKey, right: EmailKey): number {
  if (left.sale_date !== right.sale_date) return left.sale_date < right.sale_date ? 1 : -1;
  return right.arrival - left.arrival;
}

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
