import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/errors/api-error.js';
import type { Reader, Session } from '../../platform/database/database.js';
import { SeenUsersRepository } from '../accounts/index.js';
import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import { ChangesService } from '../../ledger/changes/changes.service.js';
import { ProductsService } from '../products/index.js';
import { AffiliateSalesRepository } from '../../ledger/sums/affiliate-sales.js';
import {
  type AffiliateStatistics,
  changedRelationship,
  type AffiliateTerms,
  type AffiliateTermsKey,
} from './affiliate-terms.model.js';
import { AffiliatesRepository } from './affiliates.repository.js';

/** Reads and stores the terms of affiliates for products, and the clicks on their links. */
@Injectable()
export class AffiliatesService {
  constructor(
    private readonly repository: AffiliatesRepository,
    private readonly users: SeenUsersRepository,
    private readonly products: ProductsService,
    private readonly sales: AffiliateSalesRepository,
    private readonly changes: ChangesService,
  ) {}

  /**
   * Returns the terms of an affiliate for a product of the vendor.
   * @throws ApiError not_found for an unknown product or user or if there are no terms,
   *   foreign_product for another vendor's product
   */
  async termsOf(vendor_id: number, key: AffiliateTermsKey): Promise<AffiliateTerms> {
    await this.knownParties(vendor_id, key);
    const terms = await this.repository.termsByKey(key);
    if (terms === null) {
      throw new ApiError('not_found', 'This affiliate and this product have no relationship.');
    }
    return terms;
  }

  /**
   * Returns the statistics of an affiliate for a product of the vendor. They are all zero if there
   * are only terms. A user without any relation to the product is treated as not found, so that the
   * user's name is not revealed.
   * @throws ApiError not_found for an unknown product or user and for an unrelated user;
   *   foreign_product for another vendor's product
   */
  async statisticsOf(vendor_id: number, key: AffiliateTermsKey): Promise<AffiliateStatistics> {
    const { affiliate_id, product_id } = key;
    const [product, affiliate, clicks, sales] = await Promise.all([
      this.products.findOwnProduct(vendor_id, product_id),
      this.users.userSeenBy(vendor_id, affiliate_id),
      this.repository.clicksOf(key),
      this.sales.salesOf(affiliate_id, product_id),
    ]);
    const isActive = clicks.clicks + clicks.unique_clicks > 0 || sales.sales > 0n;
    // Pending sales count, too, although no kept sum includes them.
    const isKnown =
      isActive ||
      (await this.repository.hasTerms(key)) ||
      (await this.sales.hasAnySale(affiliate_id, product_id));
    if (product === null || affiliate === null || !isKnown) {
      throw new ApiError(
        'not_found',
        'There is no such product, or this affiliate has no relationship, sale or click with it.',
      );
    }
    const name = affiliate.display_name ?? affiliate.name ?? '';
    return { affiliate: { id: affiliate.id, name }, product, clicks, sales };
  }

  /** Locks affiliate terms with their versions; `saveTerms` saves them. */
  get terms(): Omit<AffiliatesRepository['terms'], 'save'> {
    return this.repository.terms;
  }

  /** Locks and saves days of clicks with their versions. */
  get clicks(): AffiliatesRepository['clicks'] {
    return this.repository.clicks;
  }

  /** Inserts new affiliate terms and replaces locked ones. */
  async saveTerms(
    session: Session,
    records: readonly RecordChange<AffiliateTerms>[],
  ): Promise<void> {
    await this.repository.terms.save(session, records);
    const terms = records.map(({ content }) => content);
    const vendors = await this.products.vendorsOf(terms, session);
    const changed = terms.flatMap((content) => {
      const vendor_id = vendors.get(content.product_id);
      return vendor_id === undefined ? [] : [changedRelationship(vendor_id, content)];
    });
    await this.changes.record(session, changed);
  }

  /** Returns those of these affiliate terms that belong to products of the vendor. */
  async termsByKeys(
    reader: Reader,
    vendor_id: number,
    keys: readonly AffiliateTermsKey[],
  ): Promise<AffiliateTerms[]> {
    const found = await this.repository.terms.read(reader, keys);
    const vendors = await this.products.vendorsOf(found, reader);
    return found.filter(({ product_id }) => vendors.get(product_id) === vendor_id);
  }

  /** Reads affiliate terms and clicks without a rule of the service. */
  get reads(): Pick<
    AffiliatesRepository,
    | 'affiliatesOfProducts'
    | 'countOfProduct'
    | 'longestTextsOf'
    | 'statusesWith'
    | 'termsOfAffiliate'
    | 'termsWith'
  > {
    return this.repository;
  }

  /** Removes the affiliate terms and the clicks of a vendor's product. */
  async removeOfProduct(session: Session, vendor_id: number, product_id: number): Promise<void> {
    const affiliates = await this.repository.removeOfProduct(session, product_id);
    const removed = affiliates.map((affiliate_id) =>
      changedRelationship(vendor_id, { affiliate_id, product_id }),
    );
    await this.changes.remove(session, removed);
  }

  /**
   * Returns the product and the affiliate, as the vendor sees them.
   * @throws ApiError not_found for an unknown product or user, foreign_product for another vendor's
   *   product
   */
  async knownParties(vendor_id: number, key: AffiliateTermsKey) {
    const [product, affiliate] = await Promise.all([
      this.products.ownProduct(vendor_id, key.product_id),
      this.users.userSeenBy(vendor_id, key.affiliate_id),
    ]);
    if (affiliate === null) throw new ApiError('not_found', 'There is no such affiliate.');
    return { product, affiliate };
  }
}
