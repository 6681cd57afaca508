import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { selectByKeys } from '../../platform/database/bulk.js';
import { Database, type Reader, type Session } from '../../platform/database/database.js';
import { columnsOfEntity } from '../../platform/database/entities/entity-rows.js';
import { InjectRepository } from '../../platform/database/entities/inject-repository.js';
import { columnsOf } from '../../platform/database/named-rows.js';
import type { Audience } from '../../platform/pages/audiences.js';
import { StoredRecords } from '../../ledger/writes/stored-records.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
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
} from './affiliate-terms.model.js';

const AFFILIATE_TERMS_KEY = ['affiliate_id', 'product_id'] as const;
const TERMS_COLUMNS = columnsOfEntity(AffiliateTermsEntity);

/**
 * Contains all SQL on affiliate terms and clicks. The statements of imports, feeds and statistics
 * are hand-written (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class AffiliatesRepository {
  readonly terms = new StoredRecords({
    name: 'affiliations',
    key: AFFILIATE_TERMS_KEY,
    columns: TERMS_COLUMNS,
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

  constructor(
    private readonly database: Database,
    @InjectRepository(AffiliateTermsEntity)
    private readonly affiliateTerms: Repository<AffiliateTermsRow>,
    @InjectRepository(DailyClicksEntity) private readonly dailyClicks: Repository<DailyClicksRow>,
  ) {}

  async termsByKey({
    affiliate_id,
    product_id,
  }: AffiliateTermsKey): Promise<AffiliateTerms | null> {
    const row = await this.affiliateTerms.findOneBy({ affiliate_id, product_id });
    return row === null ? null : termsOf(row);
  }

  /** Statistics ask this, so the statement is written by hand. */
  async hasTerms(key: AffiliateTermsKey): Promise<boolean> {
    return (await this.terms.read(this.database, [key])).length > 0;
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
    const rows = await this.affiliateTerms
      .createQueryBuilder('a')
      .select(columnsOf('a', TERMS_COLUMNS))
      .innerJoin('products', 'p', 'p.id = a.product_id AND p.vendor_id = :vendor_id', { vendor_id })
      .where({ affiliate_id })
      .orderBy('a.product_id')
      .getRawMany<AffiliateTermsRow>();
    return rows.map(termsOf);
  }

  /** Returns the first terms of an affiliate with all vendors, ordered by product id. */
  async termsOfAffiliate(affiliate_id: number, limit: number): Promise<AffiliateTerms[]> {
    const rows = await this.affiliateTerms.find({
      where: { affiliate_id },
      order: { product_id: 'ASC' },
      take: limit,
    });
    return rows.map(termsOf);
  }

  /** Returns each status that the terms of these affiliates for products of a vendor have. */
  async statusesWith(
    vendor_id: number,
    affiliate_ids: readonly number[],
  ): Promise<Pick<AffiliateTerms, 'affiliate_id' | 'status'>[]> {
    if (affiliate_ids.length === 0) return [];
    return this.affiliateTerms
      .createQueryBuilder('a')
      .select(columnsOf('a', ['affiliate_id', 'status']))
      .distinct()
      .innerJoin('products', 'p', 'p.id = a.product_id AND p.vendor_id = :vendor_id', { vendor_id })
      .where('a.affiliate_id IN (:...affiliate_ids)', { affiliate_ids })
      .getRawMany<Pick<AffiliateTerms, 'affiliate_id' | 'status'>>();
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
  async countOfProduct(product_id: number) {
    return {
      relationships: await this.affiliateTerms.countBy({ product_id }),
      clicks: await this.dailyClicks.countBy({ product_id }),
    };
  }

  /**
   * Removes the affiliate terms and the clicks of a product.
   * @returns the affiliates who had terms
   */
  async removeOfProduct(session: Session, product_id: number): Promise<number[]> {
    const terms = session.manager.withRepository(this.affiliateTerms);
    const rows = await terms.find({
      select: { affiliate_id: true, product_id: true },
      where: { product_id },
      ...session.dialect.locked,
    });
    await terms.delete({ product_id });
    await session.manager.withRepository(this.dailyClicks).delete({ product_id });
    return rows.map(({ affiliate_id }) => affiliate_id);
  }

  /** Returns whether a user has products, and whether a user refers sales of products of others. */
  async audiencesOf(user_id: number): Promise<Audience[]> {
    const first = (audience: Audience, table: string, column: string) =>
      `SELECT * FROM (SELECT '${audience}' AS audience FROM ${table}
        WHERE ${column} = ? LIMIT 1) of_${table}`;
    const rows = await this.database.select<{ readonly audience: Audience }>(
      [
        first('sellers', 'products', 'vendor_id'),
        first('referrers', 'affiliations', 'affiliate_id'),
        first('referrers', 'affiliate_sales', 'affiliate_id'),
      ].join(' UNION ALL '),
      [user_id, user_id, user_id],
    );
    return rows.map(({ audience }) => audience);
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
