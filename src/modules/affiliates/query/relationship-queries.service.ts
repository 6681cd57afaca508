import { Injectable } from '@nestjs/common';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { relationshipKey } from '../../../ledger/changes/change.model.js';
import { searchMeta, searchPage } from '../../../ledger/reads/key-search.js';
import { noCursor, placeInQuery, type QueryIdentity } from '../../../ledger/reads/query-cursor.js';
import type { AffiliateTerms } from '../affiliate-terms.model.js';
import { AffiliatesService } from '../affiliates.service.js';
import {
  RelationshipQueriesRepository,
  type RelationshipPlace,
  type RelationshipScope,
} from './relationship-queries.repository.js';

/** Requests one page of a vendor's affiliate terms. */
export interface RelationshipQuery {
  readonly scope: RelationshipScope;
  /** Statuses; null for all. */
  readonly statuses: readonly string[] | null;
  readonly limit: number;
  /** Cursor of the page; null for the first one. */
  readonly after: string | null;
}

/** Finds affiliate terms of a vendor, in the order of product and affiliate (docs/queries.md). */
@Injectable()
export class RelationshipQueriesService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly repository: RelationshipQueriesRepository,
    private readonly affiliates: AffiliatesService,
  ) {}

  /**
   * Returns one page, with everything that was committed before the call.
   * @throws ApiError invalid_parameters if the cursor is not one of this query
   */
  page(query: RelationshipQuery): Promise<{ terms: readonly AffiliateTerms[]; meta: QueryMeta }> {
    const { scope, statuses, limit } = query;
    const identity = identityOf(query);
    const after = query.after === null ? null : placeAt(identity, query.after);
    return this.feed.readCurrent(scope.vendor_id, async (reader, cursor) => {
      const search = {
        next: (last: RelationshipPlace | null, take: number) =>
          this.repository.keysAfter(reader, scope, last, take),
        matches:
          statuses === null ? null : ({ status }: RelationshipPlace) => statuses.includes(status),
      };
      const page = await searchPage(search, after, limit);
      const found = await this.affiliates.termsByKeys(reader, scope.vendor_id, page.keys);
      const byKey = new Map(found.map((terms) => [keyOf(terms), terms]));
      return {
        terms: page.keys.flatMap((key) => byKey.get(keyOf(key)) ?? []),
        meta: searchMeta(identity, page, placeOf, cursor),
      };
    });
  }
}

function keyOf({ affiliate_id, product_id }: Omit<RelationshipPlace, 'status'>): string {
  return relationshipKey(affiliate_id, product_id);
}

function placeOf({ product_id, affiliate_id }: RelationshipPlace): [number, number] {
  return [product_id, affiliate_id];
}

function identityOf({ scope, statuses }: RelationshipQuery): QueryIdentity {
  const { vendor_id, ...ids } = scope;
  return { vendor_id, operation: 'relationships', parameters: { ...ids, statuses } };
}

/** @throws ApiError invalid_parameters if the text is not a cursor of this query */
function placeAt(identity: QueryIdentity, text: string): RelationshipPlace {
  const [product_id, affiliate_id] = placeInQuery(identity, text);
  if (typeof product_id !== 'number' || typeof affiliate_id !== 'number') throw noCursor();
  return { product_id, affiliate_id, status: 'REQUESTED' };
}
