import { Injectable } from '@nestjs/common';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { Reader } from '../../../platform/database/database.js';
import type { AffiliateTerms } from '../affiliate-terms.model.js';

/** The key of affiliate terms, and the column that filters compare. */
export type RelationshipPlace = Pick<AffiliateTerms, 'product_id' | 'affiliate_id' | 'status'>;

/** Selects affiliate terms of a vendor; null for all products or affiliates. */
export interface RelationshipScope {
  readonly vendor_id: number;
  readonly product_ids: readonly number[] | null;
  readonly affiliate_ids: readonly number[] | null;
}

/** Number of products whose affiliate terms are read together. */
const PRODUCTS = 128;

/**
 * Reads the keys of a vendor's affiliate terms with hand-written SQL, in the order of product and
 * affiliate, which is the order of an index.
 */
@Injectable()
export class RelationshipQueriesRepository {
  /** Returns the next keys after one; null is before the first. */
  async keysAfter(
    reader: Reader,
    scope: RelationshipScope,
    after: RelationshipPlace | null,
    take: number,
  ): Promise<RelationshipPlace[]> {
    const found: RelationshipPlace[] = [];
    if (after !== null) {
      const { product_id, affiliate_id } = after;
      found.push(...(await this.keysOf(reader, scope, [product_id], affiliate_id, take)));
    }
    let last = after?.product_id ?? 0;
    while (found.length < take) {
      const products = await this.productsAfter(reader, scope, last);
      found.push(...(await this.keysOf(reader, scope, products, 0, take - found.length)));
      last = products.at(-1) ?? last;
      if (products.length < PRODUCTS) break;
    }
    return found;
  }

  /** Returns the keys of some products, each with an affiliate whose id is above `least`. */
  private async keysOf(
    reader: Reader,
    { affiliate_ids }: RelationshipScope,
    product_ids: readonly number[],
    least: number,
    take: number,
  ): Promise<RelationshipPlace[]> {
    if (product_ids.length === 0) return [];
    const products = isOneOf('product_id', product_ids);
    const affiliates = affiliate_ids === null ? null : isOneOf('affiliate_id', affiliate_ids);
    return reader.select<RelationshipPlace>(
      `SELECT product_id, affiliate_id, status FROM affiliations
        WHERE ${products.sql} AND affiliate_id > ?
        ${affiliates === null ? '' : `AND ${affiliates.sql}`}
        ORDER BY product_id, affiliate_id LIMIT ?`,
      [...products.values, least, ...(affiliates?.values ?? []), take],
    );
  }

  private async productsAfter(
    reader: Reader,
    { vendor_id, product_ids }: RelationshipScope,
    after: number,
  ): Promise<number[]> {
    const wanted = product_ids === null ? null : isOneOf('id', product_ids);
    const rows = await reader.select<{ readonly id: number }>(
      `SELECT id FROM products WHERE vendor_id = ? AND id > ?
        ${wanted === null ? '' : `AND ${wanted.sql}`}
        ORDER BY id LIMIT ?`,
      [vendor_id, after, ...(wanted?.values ?? []), PRODUCTS],
    );
    return rows.map(({ id }) => id);
  }
}
