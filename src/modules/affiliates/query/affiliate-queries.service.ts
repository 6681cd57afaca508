import { Injectable } from '@nestjs/common';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { searchMeta } from '../../../ledger/reads/key-search.js';
import { noCursor, placeInQuery, type QueryIdentity } from '../../../ledger/reads/query-cursor.js';
import { SeenUsersRepository } from '../../accounts/index.js';
import {
  AffiliateQueriesRepository,
  type ReadLedger,
  type SoldByAffiliate,
} from './affiliate-queries.repository.js';

/** Requests one page of a vendor's affiliates. */
export interface AffiliateQuery {
  readonly vendor_id: number;
  readonly limit: number;
  /** Cursor of the page; null for the first one. */
  readonly after: string | null;
}

export interface QueriedAffiliate extends Omit<SoldByAffiliate, 'affiliate_id'> {
  readonly id: number;
  /** Null if the vendor sees no name of the affiliate. */
  readonly display_name: string | null;
}

const NO_SALES = { sales: 0, first_sale_date: null, last_sale_date: null } as const;

/**
 * Finds the affiliates with a sale, affiliate terms or a click with a vendor, in the order of their
 * ids (docs/queries.md). A pending transaction is no sale.
 */
@Injectable()
export class AffiliateQueriesService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly repository: AffiliateQueriesRepository,
    private readonly users: SeenUsersRepository,
  ) {}

  /**
   * Returns one page, with everything that was committed before the call.
   * @throws ApiError invalid_parameters if the cursor is not one of this query
   */
  page({
    vendor_id,
    limit,
    after,
  }: AffiliateQuery): Promise<{ affiliates: readonly QueriedAffiliate[]; meta: QueryMeta }> {
    const identity = { vendor_id, operation: 'affiliates', parameters: {} };
    const least = after === null ? 0 : idAt(identity, after);
    return this.feed.readCurrent(vendor_id, async (reader, cursor) => {
      const months = await this.repository.monthsWithSales(reader, vendor_id);
      const of = { reader, vendor_id, months };
      const found = await this.repository.idsAfter(of, least, limit + 1);
      const keys = found.slice(0, limit);
      const next = found.length > limit ? (keys.at(-1) ?? null) : null;
      const isOnly = after === null && next === null;
      const total_count = isOnly ? keys.length : await this.repository.count(reader, vendor_id);
      const page = { keys, next, isStopped: false, total_count };
      return {
        affiliates: await this.affiliatesOf(of, keys),
        meta: searchMeta(identity, page, (id) => [id], cursor),
      };
    });
  }

  private async affiliatesOf(of: ReadLedger, ids: readonly number[]): Promise<QueriedAffiliate[]> {
    const { reader, vendor_id, months } = of;
    const sold = months.length === 0 ? [] : await this.repository.salesOf(of, ids);
    const seen = await this.users.usersSeenBy(vendor_id, ids, reader);
    const salesById = new Map(sold.map(({ affiliate_id, ...sales }) => [affiliate_id, sales]));
    const nameById = new Map(seen.map(({ id, display_name, name }) => [id, display_name ?? name]));
    return ids.map((id) => ({
      id,
      display_name: nameById.get(id) ?? null,
      ...(salesById.get(id) ?? NO_SALES),
    }));
  }
}

/** @throws ApiError invalid_parameters if the text is not a cursor of this query */
function idAt(identity: QueryIdentity, text: string): number {
  const [id] = placeInQuery(identity, text);
  if (typeof id !== 'number') throw noCursor();
  return id;
}
