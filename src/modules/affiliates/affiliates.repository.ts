import { Injectable } from '@nestjs/common';
import { selectByKeys, raiseColumn } from '../../database/bulk.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import {
  columnsOfEntity,
  insertEntities,
  replaceEntities,
} from '../../database/entities/entity-rows.js';
import { overruledOf, textOf, type Stored } from '../../ledger-format/overruled-fields.js';
import {
  addedAndChanged,
  versionedOf,
  type RecordChange,
  type Versioned,
} from '../../ledger-format/record-version.js';
import {
  AffiliateTermsEntity,
  DailyClicksEntity,
  type AffiliateTermsRow,
  type DailyClicksRow,
} from './affiliate-terms.entity.js';
import type { ProductCount } from '../products/product.model.js';
import type { ClickCounts } from './affiliate-statistics.model.js';
import type {
  AffiliateTerms,
  AffiliateTermsKey,
  DailyClicks,
  ProductAffiliates,
} from './affiliate-terms.model.js';

const AFFILIATE_TERMS_KEY = ['affiliate_id', 'product_id'] as const;
const SELECT_TERMS = `SELECT ${columnsOfEntity(AffiliateTermsEntity).join(', ')} FROM affiliations`;
const CLICKS_KEY = [...AFFILIATE_TERMS_KEY, 'date'] as const;
const SELECT_CLICKS = `SELECT ${columnsOfEntity(DailyClicksEntity).join(', ')} FROM daily_clicks`;

/**
 * Contains all SQL on affiliate terms and clicks. It is hand-written, because reads through TypeORM
 * take more CPU (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class AffiliatesRepository {
  constructor(private readonly database: Database) {}

  async termsByKey(key: AffiliateTermsKey): Promise<AffiliateTerms | null> {
    const [row] = await this.database.select<AffiliateTermsRow>(
      `${SELECT_TERMS} WHERE affiliate_id = ? AND product_id = ?`,
      [key.affiliate_id, key.product_id],
    );
    return row === undefined ? null : termsOf(row);
  }

  async termsByKeys(reader: Reader, keys: readonly AffiliateTermsKey[]): Promise<AffiliateTerms[]> {
    const rows = await selectByKeys<AffiliateTermsRow>(
      reader,
      SELECT_TERMS,
      AFFILIATE_TERMS_KEY,
      keys.map((key) => AFFILIATE_TERMS_KEY.map((column) => key[column])),
    );
    return rows.map(termsOf);
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
    const columns = columnsOfEntity(AffiliateTermsEntity).map((column) => `a.${column}`);
    const rows = await this.database.select<AffiliateTermsRow>(
      `SELECT ${columns.join(', ')} FROM products p JOIN affiliations a ON a.product_id = p.id
        WHERE p.vendor_id = ? AND a.affiliate_id = ? ORDER BY a.product_id`,
      [vendor_id, affiliate_id],
    );
    return rows.map(termsOf);
  }

  /** Reads affiliate terms and locks them until the session ends. */
  async lockedTerms(
    session: Session,
    keys: readonly AffiliateTermsKey[],
  ): Promise<Stored<AffiliateTerms>[]> {
    const rows = await selectByKeys<AffiliateTermsRow>(
      session,
      SELECT_TERMS,
      AFFILIATE_TERMS_KEY,
      keys.map((key) => AFFILIATE_TERMS_KEY.map((column) => key[column])),
      session.dialect.forUpdate,
    );
    return rows.map((row) => ({
      content: termsOf(row),
      overruled: overruledOf(row.overruled),
      record_version: row.record_version,
    }));
  }

  async saveTerms(
    session: Session,
    terms: readonly (Stored<AffiliateTerms> & RecordChange<AffiliateTerms>)[],
  ): Promise<void> {
    const { added, changed } = addedAndChanged(terms);
    await insertEntities(session, AffiliateTermsEntity, added.map(rowOf));
    await replaceEntities(session, AffiliateTermsEntity, changed.map(rowOf));
  }

  async raiseTermsVersions(
    session: Session,
    terms: readonly Versioned<AffiliateTermsKey>[],
  ): Promise<void> {
    const rows = terms.map(({ content, record_version }) => [
      ...AFFILIATE_TERMS_KEY.map((column) => content[column]),
      record_version,
    ]);
    await raiseColumn(session, 'affiliations', 'record_version', AFFILIATE_TERMS_KEY, rows);
  }

  /**
   * Counts the affiliate terms and the days of clicks of these products. A product can occur once
   * for each.
   */
  async affiliatesOfProducts(
    session: Session,
    product_ids: readonly number[],
  ): Promise<ProductCount[]> {
    const keys = product_ids.map((id) => [id]);
    const found: ProductCount[] = [];
    for (const table of ['affiliations', 'daily_clicks']) {
      const select = `SELECT product_id, COUNT(*) AS found FROM ${table}`;
      const group = 'GROUP BY product_id';
      found.push(
        ...(await selectByKeys<ProductCount>(session, select, ['product_id'], keys, group)),
      );
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

  /** Reads days of clicks and locks them until the session ends. */
  async lockedClicks(
    session: Session,
    keys: readonly Pick<DailyClicks, 'affiliate_id' | 'product_id' | 'date'>[],
  ): Promise<Versioned<DailyClicks>[]> {
    const rows = await selectByKeys<DailyClicksRow>(
      session,
      SELECT_CLICKS,
      CLICKS_KEY,
      keys.map((key) => CLICKS_KEY.map((column) => key[column])),
      session.dialect.forUpdate,
    );
    return rows.map(versionedOf);
  }

  async saveClicks(session: Session, clicks: readonly RecordChange<DailyClicks>[]): Promise<void> {
    const { added, changed } = addedAndChanged(clicks);
    await insertEntities(session, DailyClicksEntity, added.map(clicksRowOf));
    await replaceEntities(session, DailyClicksEntity, changed.map(clicksRowOf));
  }

  async raiseClicksVersions(
    session: Session,
    clicks: readonly Versioned<DailyClicks>[],
  ): Promise<void> {
    const rows = clicks.map(({ content, record_version }) => [
      ...CLICKS_KEY.map((column) => content[column]),
      record_version,
    ]);
    await raiseColumn(session, 'daily_clicks', 'record_version', CLICKS_KEY, rows);
  }
}

function termsOf({ overruled: _, record_version: __, ...row }: AffiliateTermsRow): AffiliateTerms {
  return { ...row, delayed_commission: row.delayed_commission === 1 };
}

function rowOf({ content, overruled, record_version }: Stored<AffiliateTerms>) {
  return {
    ...content,
    delayed_commission: Number(content.delayed_commission),
    overruled: textOf(overruled),
    record_version,
  };
}

function clicksRowOf({ content, record_version }: Versioned<DailyClicks>) {
  return { ...content, record_version };
}
