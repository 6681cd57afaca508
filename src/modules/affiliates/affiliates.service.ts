import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { dateTimeOf } from '../../common/time.js';
import { Database, type Reader, type Session } from '../../database/database.js';
import type { Principal } from '../accounts/account.model.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuditService } from '../audit/audit.service.js';
import { overruledBy, type Stored } from '../../ledger-format/overruled-fields.js';
import type { RecordChange, Versioned } from '../../ledger-format/record-version.js';
import { relationshipKey, type ChangedRecord } from '../changes/change.model.js';
import { ChangesService } from '../changes/changes.service.js';
import { ProductsService } from '../products/products.service.js';
import { AffiliateSalesService } from '../transactions/rollups/affiliate-sales/affiliate-sales.service.js';
import type { AffiliateStatistics } from './affiliate-statistics.model.js';
import {
  ALWAYS_SET,
  subjectOf,
  TERMS,
  type Affiliation,
  type AffiliationKey,
  type AffiliationUpdate,
  type DailyClicks,
} from './affiliation.model.js';
import { AffiliatesRepository } from './affiliates.repository.js';

/** Relationships between affiliates and products, and the affiliates' clicks. */
@Injectable()
export class AffiliatesService {
  constructor(
    private readonly repository: AffiliatesRepository,
    private readonly accounts: AccountsService,
    private readonly products: ProductsService,
    private readonly sales: AffiliateSalesService,
    private readonly audit: AuditService,
    private readonly changes: ChangesService,
    private readonly database: Database,
  ) {}

  /**
   * The relationship between an affiliate and a product of the vendor.
   * @throws ApiError not_found for an unknown product, user or relationship, foreign_product for
   *   another vendor's product
   */
  async affiliationOf(vendor_id: number, key: AffiliationKey): Promise<Affiliation> {
    await this.knownParties(vendor_id, key);
    const affiliation = await this.repository.affiliationByKey(key);
    if (affiliation === null) {
      throw new ApiError('not_found', 'This affiliate and this product have no relationship.');
    }
    return affiliation;
  }

  /**
   * Adds or updates the relationship (interface 4.2), with an entry in the audit log. A relationship that
   * already is as requested is not written or logged.
   * @throws ApiError as affiliationOf, and invalid_parameters if the verification e-mail differs
   */
  async setAffiliation(
    principal: Principal,
    key: AffiliationKey,
    update: AffiliationUpdate,
  ): Promise<Affiliation> {
    const { affiliate } = await this.knownParties(principal.user_id, key);
    const email = update.affiliate_verification_email;
    if (email !== null && email.toLowerCase() !== affiliate.email.toLowerCase()) {
      const problem = "affiliate_verification_email must be the affiliate's e-mail.";
      throw new ApiError('invalid_parameters', problem);
    }
    return this.database.writeIdempotent(async (session) => {
      const [stored = null] = await this.repository.lockedAffiliations(session, [key]);
      const before = stored?.content ?? null;
      const after = updated(before ?? newAffiliation(key), update);
      // A client or a proxy that got no response sends the request again.
      if (isDeepStrictEqual(before, after)) return after;
      const overruled = overruledBy(stored, after, fieldsSetBy(update));
      const record_version = stored?.record_version ?? null;
      const changed = { content: after, overruled, record_version, before: stored?.content };
      await this.repository.saveAffiliations(session, [changed]);
      await this.changes.record(session, [changedRelationship(principal.user_id, key)]);
      await this.audit.record(session, {
        user_id: principal.user_id,
        application_id: principal.application_id,
        action: 'affiliation.set',
        subject: subjectOf(key),
        before,
        after,
      });
      return after;
    });
  }

  /**
   * The statistics of an affiliate for a product of the vendor; all zero if they have only a
   * relationship. A user unrelated to the product is treated as not found, so that the user's name is
   * not revealed.
   * @throws ApiError not_found for an unknown product or user and for an unrelated user;
   *   foreign_product for another vendor's product
   */
  async statisticsOf(vendor_id: number, key: AffiliationKey): Promise<AffiliateStatistics> {
    const { affiliate_id, product_id } = key;
    const [product, affiliate, clicks, sales] = await Promise.all([
      this.products.findOwnProduct(vendor_id, product_id),
      this.accounts.userById(affiliate_id),
      this.repository.clicksOf(key),
      this.sales.salesOf(affiliate_id, product_id),
    ]);
    const isActive = clicks.clicks + clicks.unique_clicks > 0 || sales.sales > 0n;
    const isKnown = isActive || (await this.hasRelationOrSale(key));
    if (product === null || affiliate === null || !isKnown) {
      throw new ApiError(
        'not_found',
        'There is no such product, or this affiliate has no relationship, sale or click with it.',
      );
    }
    const name = affiliate.display_name ?? affiliate.name;
    return { affiliate: { id: affiliate.id, name }, product, clicks, sales };
  }

  /** Reads relationships and locks them until the session ends. */
  lockedAffiliations(
    session: Session,
    keys: readonly AffiliationKey[],
  ): Promise<Stored<Affiliation>[]> {
    return this.repository.lockedAffiliations(session, keys);
  }

  /** Inserts new relationships, and replaces locked ones. */
  async saveAffiliations(
    session: Session,
    affiliations: readonly (Stored<Affiliation> & RecordChange<Affiliation>)[],
  ): Promise<void> {
    await this.repository.saveAffiliations(session, affiliations);
    const ids = new Set(affiliations.map(({ content }) => content.product_id));
    const products = await this.products.storedProducts(session, ids);
    const vendors = new Map(products.map(({ id, vendor_id }) => [id, vendor_id]));
    const changed = affiliations.flatMap(({ content }) => {
      const vendor_id = vendors.get(content.product_id);
      return vendor_id === undefined ? [] : [changedRelationship(vendor_id, content)];
    });
    await this.changes.record(session, changed);
  }

  /** The relationships of a vendor's products among these. */
  async affiliationsByKeys(
    reader: Reader,
    vendor_id: number,
    keys: readonly AffiliationKey[],
  ): Promise<Affiliation[]> {
    const found = await this.repository.affiliationsByKeys(reader, keys);
    const ids = [...new Set(found.map(({ product_id }) => product_id))];
    const products = await this.products.productsByIds(ids, reader);
    const own = new Set(
      products.flatMap((product) => (product.vendor_id === vendor_id ? [product.id] : [])),
    );
    return found.filter(({ product_id }) => own.has(product_id));
  }

  /** Sets the versions of stored relationships, and nothing else. */
  raiseAffiliationVersions(
    session: Session,
    affiliations: readonly Versioned<Affiliation>[],
  ): Promise<void> {
    return this.repository.raiseAffiliationVersions(session, affiliations);
  }

  /** Reads days of clicks and locks them until the session ends. */
  lockedClicks(session: Session, keys: readonly DailyClicks[]): Promise<Versioned<DailyClicks>[]> {
    return this.repository.lockedClicks(session, keys);
  }

  /** Inserts new days of clicks, and replaces locked ones. */
  saveClicks(session: Session, clicks: readonly RecordChange<DailyClicks>[]): Promise<void> {
    return this.repository.saveClicks(session, clicks);
  }

  /** Sets the versions of stored days of clicks, and nothing else. */
  raiseClicksVersions(session: Session, clicks: readonly Versioned<DailyClicks>[]): Promise<void> {
    return this.repository.raiseClicksVersions(session, clicks);
  }

  /** Pending sales count, too, though no sum includes them yet. */
  private async hasRelationOrSale(key: AffiliationKey): Promise<boolean> {
    if ((await this.repository.affiliationByKey(key)) !== null) return true;
    return this.sales.hasAnySale(key.affiliate_id, key.product_id);
  }

  private async knownParties(vendor_id: number, key: AffiliationKey) {
    const [product, affiliate] = await Promise.all([
      this.products.ownProduct(vendor_id, key.product_id),
      this.accounts.userById(key.affiliate_id),
    ]);
    if (affiliate === null) throw new ApiError('not_found', 'There is no such affiliate.');
    return { product, affiliate };
  }
}

function changedRelationship(
  vendor_id: number,
  { affiliate_id, product_id }: AffiliationKey,
): ChangedRecord {
  const record_key = relationshipKey(affiliate_id, product_id);
  return { vendor_id, kind: 'relationship', record_key };
}

function newAffiliation(key: AffiliationKey): Affiliation {
  return {
    ...key,
    created: dateTimeOf(new Date()),
    status: 'REQUESTED',
    comments: null,
    custom_commission: null,
    delayed_commission: false,
    custom_sales_page_url: null,
    custom_payment_1st_payout: null,
    custom_payment_trial_payout: null,
  };
}

function fieldsSetBy({ terms }: AffiliationUpdate): (keyof Affiliation)[] {
  return [...ALWAYS_SET, ...TERMS.filter((term) => terms[term] !== undefined)];
}

/** An absent term keeps the stored value; null clears it. */
function updated(stored: Affiliation, { approval_status, terms }: AffiliationUpdate): Affiliation {
  const given = <Value>(value: Value | undefined, kept: Value) =>
    value === undefined ? kept : value;
  return {
    ...stored,
    status: approval_status === 'DENIED' ? 'DENIED' : 'APPROVED',
    delayed_commission: approval_status === 'DELAYED',
    custom_commission: given(terms.custom_commission, stored.custom_commission),
    custom_sales_page_url: given(terms.custom_sales_page_url, stored.custom_sales_page_url),
    custom_payment_1st_payout: given(
      terms.custom_payment_1st_payout,
      stored.custom_payment_1st_payout,
    ),
    custom_payment_trial_payout: given(
      terms.custom_payment_trial_payout,
      stored.custom_payment_trial_payout,
    ),
  };
}
