import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { AffiliatesService } from '../../affiliates/index.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { AuditService, routine, type UndoneActions } from '../../audit/index.js';
import { type ProductOfSource, ProductsService } from '../../products/index.js';
import { RecurringService } from '../../recurring/index.js';
import { TransactionWritesService } from '../../../ledger/writes/transaction-writes.service.js';
import type { ProductKey } from '../../../ledger/writes/transaction-writes.model.js';

/** Lists the audited action on a product, with advice for after a restore. */
export const PRODUCT_ACTIONS: UndoneActions = {
  'product.remove': routine(
    'The product is there again with all that belongs to it: run "sources remove" again.',
  ),
};

/** Counts the records that belong to a product, by type. */
export interface ProductHoldings {
  readonly product: number;
  readonly relationships: number;
  readonly recurring_payments: number;
  readonly transactions: number;
  /** Number of days with clicks. */
  readonly clicks: number;
}

/** Thrown if the vendor has no such product. */
class UnknownProductError extends DomainError {}

/** Thrown if a record of the operator named the product. */
class NamedProductError extends DomainError {}

/** Removes a product of a vendor with all records that belong to it, in batches. */
@Injectable()
export class ProductRemovalService {
  constructor(
    private readonly database: Database,
    private readonly products: ProductsService,
    private readonly affiliates: AffiliatesService,
    private readonly recurring: RecurringService,
    private readonly sales: TransactionWritesService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Counts the records that `remove` would delete.
   * @throws UnknownProductError if the vendor has no such product
   */
  async holdingsOf(key: ProductKey): Promise<ProductHoldings> {
    const { vendor_id, product_id } = key;
    await this.database.write((session) => this.locked(session, key));
    const { relationships, clicks } = await this.affiliates.reads.countOfProduct(product_id);
    const recurring_payments = await this.recurring.reads.countOfProduct(vendor_id, product_id);
    const transactions = await this.sales.reads.countOfProduct(key);
    return { product: 1, relationships, recurring_payments, transactions, clicks };
  }

  /**
   * Deletes the product and all records that belong to it, and adds an entry to the audit log. A
   * removal that was interrupted continues when it is started again.
   * @param isForced true to remove even a product that a record of the operator named
   * @throws UnknownProductError if the vendor has no such product
   * @throws NamedProductError if the operator named the product and `isForced` is false
   */
  async remove(key: ProductKey, isForced: boolean): Promise<ProductHoldings> {
    const holdings = await this.holdingsOf(key);
    await this.database.write(async (session) => {
      const { source_vendor_id } = await this.locked(session, key);
      if (source_vendor_id !== null || isForced) return;
      throw new NamedProductError(
        `Records of the operator named product ${key.product_id}. Add --force to remove it all the same.`,
      );
    });
    let isDone = false;
    while (!isDone) {
      await this.removeSales(key);
      await this.removePayments(key);
      isDone = await this.database.write((session) => this.conclude(session, key, holdings));
    }
    return holdings;
  }

  private async removeSales(key: ProductKey): Promise<void> {
    for (let after: number | null = 0; after !== null;) {
      const from: number = after;
      const removed = await this.database.write((session) =>
        this.sales.removeNext(session, key, from),
      );
      after = removed.last;
    }
  }

  private async removePayments({ vendor_id, product_id }: ProductKey): Promise<void> {
    for (let removed = 1; removed > 0;) {
      removed = await this.database.write((session) =>
        this.recurring.removeOfProduct(session, vendor_id, product_id),
      );
    }
  }

  /** @returns false if more records were added meanwhile */
  private async conclude(
    session: Session,
    key: ProductKey,
    holdings: ProductHoldings,
  ): Promise<boolean> {
    const { vendor_id, product_id } = key;
    const { id, name } = await this.locked(session, key);
    const sales = await this.sales.removeNext(session, key, 0);
    const payments = await this.recurring.removeOfProduct(session, vendor_id, product_id);
    if (sales.count + payments > 0) return false;
    await this.affiliates.removeOfProduct(session, vendor_id, product_id);
    await this.products.remove(session, { id, vendor_id, name });
    await this.audit.record(session, {
      ...BY_OPERATOR,
      account_id: vendor_id,
      action: 'product.remove',
      subject: `product ${id}`,
      before: { vendor_id, name, ...holdings },
      after: {},
    });
    return true;
  }

  /** @throws UnknownProductError if the vendor has no such product */
  private async locked(
    session: Session,
    { vendor_id, product_id }: ProductKey,
  ): Promise<ProductOfSource> {
    const [stored] = await this.products.records.locked(session, [{ id: product_id }]);
    if (stored?.content.vendor_id === vendor_id) return stored.content;
    throw new UnknownProductError(`User ${vendor_id} has no product ${product_id}.`);
  }
}
