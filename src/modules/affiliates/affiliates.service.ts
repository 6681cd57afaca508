import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { RecordBatch } from '../ledger/ledger.model.js';
import { LinesOfKind } from '../ledger/record-batch.model.js';
import { ProductsService } from '../products/products.service.js';
import { AffiliationRecords, ClicksRecords } from './affiliate.records.js';
import type { Affiliation, AffiliationKey } from './affiliation.model.js';
import { AffiliatesRepository } from './affiliates.repository.js';

/** Relationships between affiliates and products, and the clicks that affiliates brought. */
@Injectable()
export class AffiliatesService {
  constructor(
    private readonly repository: AffiliatesRepository,
    private readonly accounts: AccountsService,
    private readonly products: ProductsService,
  ) {}

  /**
   * The relationship between an affiliate and a product of the vendor's.
   * @throws ApiError not_found for an unknown product, user or relationship, foreign_product for
   *   another vendor's product
   */
  async affiliationOf(vendor_id: number, key: AffiliationKey): Promise<Affiliation> {
    await this.products.ownProduct(vendor_id, key.product_id);
    if ((await this.accounts.userById(key.affiliate_id)) === null) {
      throw new ApiError('not_found', 'There is no such affiliate.');
    }
    const affiliation = await this.repository.affiliationByKey(key);
    if (affiliation === null) {
      throw new ApiError('not_found', 'This affiliate and this product have no relationship.');
    }
    return affiliation;
  }

  affiliationBatch(): RecordBatch {
    return new LinesOfKind(new AffiliationRecords(this.repository));
  }

  clicksBatch(): RecordBatch {
    return new LinesOfKind(new ClicksRecords(this.repository));
  }
}
