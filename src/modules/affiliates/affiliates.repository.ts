import { Injectable } from '@nestjs/common';
import { selectByKeys } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import { columnsOfEntity } from '../../database/entities/entity-rows.js';
import { columnsOf } from '../../database/named-rows.js';
import { StoredRecords } from '../../database/stored-records.js';
import type { RecordChange } from '../../ledger-format/overruled-fields.js';
import {
  AffiliateTermsEntity,
  DailyClicksEntity,
  type AffiliateTermsRow,
  type DailyClicksRow,
} from './affiliate-terms.entity.js';
import type { ProductCount } from '../products/index.js';
import type {
  ClickCounts,
  AffiliateTerms,
  AffiliateTermsKey,
  DailyClicks,
  ProductAffiliates,
} from './affiliate-terms.model.js';

const AFFILIATE_TERMS_KEY = ['affiliate_id', 'product_id'] as const;
const AFFILIATE_TERMS_COLUMNS = columnsOfEntity(AffiliateTermsEntity);

/**
 * Contains all SQL on affiliate terms and clicks. It is hand-written, because reads through TypeORM
 * take more CPU (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class AffiliatesRepository {
  readonly terms = new StoredRecords({
    name: 'affiliations',
    key: AFFILIATE_TERMS_KEY,
    columns: AFFILIATE_TERMS_COLUMNS,
    contentOf: termsOf,
    rowOf: ({ content }: RecordChange<AffiliateTerms>) => {
      return { ...content, delayed_commission: Number(content.delayed_commission) };
    },
  });
  readonly clicks = new StoredRecords({
    name: 'daily_clicks',
    key: [...AFFILIATE_TERMS_KEY, 'date'],
    columns: columnsOfEntity(DailyClicksEntity),
    contentOf: ({ record_version: _, ...clicks }: DailyClicksRow): DailyClicks => clicks,
    rowOf: ({ content }: RecordChange<DailyClicks>) => ({ ...content }),
  });

  constructor(private readonly database: Database) {}

  async termsByKey(key: AffiliateTermsKey): Promise<AffiliateTerms | null> {
    const [row] = await this.database.select<AffiliateTermsRow>(
      `${this.terms.select} WHERE affiliate_id = ? AND product_id = ?`,
      [key.affiliate_id, key.product_id],
    );
    return row === undefined ? null : termsOf(row);
  }

  /** Returns the total bytes of the longest texts of each affiliate's terms. */
  longestTextsOf(
    reader: Reader,
    keys: readonly AffiliateTermsKey[],
  ): Promise<(AffiliateTermsKey & { readonly bytes: number })[]> {
    return selectByKeys(
      reader,
      `SELECT affiliate_id, product_id, COALESCE(OCTET_LENGTH(comments), 0)
        + COALESCE(OCTET_LENGTH(custom_sales_page_url), 0) AS bytes FROM affiliations`,
      AFFILIATE_TERMS_KEY,
      keys.map((key) => AFFILIATE_TERMS_KEY.map((column) => key[column])),
    );
  }

  /** Returns the terms of an affiliate for the products of a vendor, ordered by product id. */
  async termsWith(vendor_id: number, affiliate_id: number): Promise<AffiliateTerms[]> {
    const rows = await this.database.select<AffiliateTermsRow>(
      `SELECT ${columnsOf('a', AFFILIATE_TERMS_COLUMNS)} FROM products p JOIN affiliations a ON a.product_id = p.id
        WHERE p.vendor_id = ? AND a.affiliate_id = ? ORDER BY a.product_id`,
      [vendor_id, affiliate_id],
    );
    return rows.map(termsOf);
  }

  /**
   * Counts the affiliate terms and the days of clicks of these products. A product can occur once
   * for each.
   */
  async affiliatesOfProducts(
    session: Session,
    product_ids: readonly number[],
  ): Promise<ProductCount[]> {
    const found: ProductCount[] = [];
    for (const table of ['affiliations', 'daily_clicks']) {
      const select = `SELECT product_id, COUNT(*) AS found FROM ${table}`;
      const group = 'GROUP BY product_id';
      const key = ['product_id'];
      found.push(...(await selectByKeys<ProductCount>(session, select, key, product_ids, group)));
    }
    return found;
  }

  /** Counts the affiliate terms and the days of clicks of a product. */
  async countOfProduct(product_id: number): Promise<ProductAffiliates> {
    const count = async (table: string) => {
      const sql = `SELECT COUNT(*) AS found FROM ${table} WHERE product_id = ?`;
      const [row] = await this.database.select<{ readonly found: number }>(sql, [product_id]);
      return row?.found ?? 0;
    };
    return { relationships: await count('affiliations'), clicks: await count('daily_clicks') };
  }

  /**
   * Removes the affiliate terms and the clicks of a product.
   * @returns the affiliates who had terms
   */
  async removeOfProduct(session: Session, product_id: number): Promise<number[]> {
    const rows = await session.select<AffiliateTermsKey>(
      `SELECT affiliate_id FROM affiliations WHERE product_id = ? ${session.dialect.forUpdate}`,
      [product_id],
    );
    for (const table of ['affiliations', 'daily_clicks']) {
      await session.run(`DELETE FROM ${table} WHERE product_id = ?`, [product_id]);
    }
    return rows.map(({ affiliate_id }) => affiliate_id);
  }

  /** Returns the total clicks on an affiliate's links for a product. */
  async clicksOf(key: AffiliateTermsKey): Promise<ClickCounts> {
    const [row] = await this.database.select<ClickCounts>(
      `SELECT CAST(COALESCE(SUM(clicks), 0) AS SIGNED) AS clicks,
         CAST(COALESCE(SUM(unique_clicks), 0) AS SIGNED) AS unique_clicks
       FROM daily_clicks WHERE affiliate_id = ? AND product_id = ?`,
      [key.affiliate_id, key.product_id],
    );
    return row ?? { clicks: 0, unique_clicks: 0 };
  }
}

function termsOf({ overruled: _, record_version: __, ...row }: AffiliateTermsRow): AffiliateTerms {
  return { ...row, delayed_commission: row.delayed_commission === 1 };
}
