import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThan, MoreThanOrEqual, Repository } from 'typeorm';
import { runByKeys, selectByKeys } from '../../platform/database/bulk.js';
import type { Reader, Session } from '../../platform/database/database.js';
import { columnsOfEntity } from '../../platform/database/entities/entity-rows.js';
import { InjectRepository } from '../../platform/database/entities/inject-repository.js';
import { StoredRecords } from '../../ledger/writes/stored-records.js';
import { textOf, type Overlaid } from '../../ledger/records/overruled-fields.js';
import type { ProductCount } from '../products/index.js';
import {
  RecurringPaymentEntity,
  type RecurringPaymentRow,
  paymentOf,
  rowOf,
  statusColumns,
} from './recurring-payment.entity.js';
import type { PaymentState, PaymentStatus, RecurringPayment } from './recurring-payment.model.js';

/** Approximate size of the JSON of a subscription without its longest text, in bytes. */
const OTHER_BYTES = 4_096;

type KnownPreKey = Pick<RecurringPayment, 'pre_key' | 'product_id'>;

/**
 * Contains the SQL on subscriptions. The statements of imports and feeds, and the removal in
 * batches, are hand-written (docs/adr/0003-own-statements.md).
 */
@Injectable()
export class RecurringRepository {
  readonly records = new StoredRecords({
    name: 'recurring_payments',
    key: ['pre_key'],
    columns: columnsOfEntity(RecurringPaymentEntity),
    contentOf: paymentOf,
    rowOf,
  });

  constructor(
    @InjectRepository(RecurringPaymentEntity)
    private readonly payments: Repository<RecurringPaymentRow>,
  ) {}

  /**
   * Returns a subscription to a product of this vendor. A subscription of another vendor is treated
   * as not found.
   */
  async paymentOfVendor(vendor_id: number, pre_key: string): Promise<RecurringPayment | null> {
    const row = await this.payments
      .createQueryBuilder('r')
      .innerJoin('products', 'p', 'p.id = r.product_id AND p.vendor_id = :vendor_id', { vendor_id })
      .where({ pre_key })
      .getOne();
    return row === null ? null : paymentOf(row);
  }

  /** Returns the vendor's next subscriptions in a range of keys; `until` is not included. */
  async paymentsFrom(
    vendor_id: number,
    from: string,
    until: string,
    take: number,
  ): Promise<RecurringPayment[]> {
    const pre_key = And(MoreThanOrEqual(from), LessThan(until));
    const order = { pre_key: 'ASC' } as const;
    const rows = await this.payments.find({ where: { vendor_id, pre_key }, order, take });
    return rows.map(paymentOf);
  }

  /** Returns subscriptions of all vendors by key. Unknown keys are skipped. */
  paymentsByKeys(reader: Reader, pre_keys: readonly string[]): Promise<RecurringPayment[]> {
    const keys = pre_keys.map((pre_key) => ({ pre_key }));
    return this.records.read(reader, keys);
  }

  /** Returns the approximate size of each subscription as JSON, in bytes, by key. */
  async sizesOf(reader: Reader, pre_keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await selectByKeys<{ readonly pre_key: string; readonly bytes: number }>(
      reader,
      'SELECT pre_key, OCTET_LENGTH(referrer) AS bytes FROM recurring_payments',
      ['pre_key'],
      pre_keys,
    );
    return new Map(rows.map(({ pre_key, bytes }) => [pre_key, bytes + OTHER_BYTES]));
  }

  /**
   * Returns the next subscriptions of a vendor, ordered by key.
   * @param after last key that is excluded
   */
  statusesAfter(
    { manager }: Session,
    vendor_id: number,
    after: string,
    limit: number,
  ): Promise<PaymentState[]> {
    return manager.withRepository(this.payments).find({
      select: { pre_key: true, status: true },
      where: { vendor_id, pre_key: MoreThan(after) },
      order: { pre_key: 'ASC' },
      take: limit,
    });
  }

  /** Counts the subscriptions to each of these products of a vendor. */
  paymentsOfProducts(
    session: Session,
    vendor_id: number,
    product_ids: readonly number[],
  ): Promise<ProductCount[]> {
    return selectByKeys<ProductCount>(
      session,
      'SELECT product_id, COUNT(*) AS found FROM recurring_payments',
      ['product_id'],
      product_ids,
      'AND vendor_id = ? GROUP BY product_id',
      [vendor_id],
    );
  }

  countOfProduct(vendor_id: number, product_id: number): Promise<number> {
    return this.payments.countBy({ vendor_id, product_id });
  }

  /**
   * Removes the next subscriptions to a product, and their open cancellations.
   * @returns the removed subscriptions
   */
  async removeOfProduct(
    session: Session,
    vendor_id: number,
    product_id: number,
    limit: number,
  ): Promise<RecurringPayment[]> {
    const rows = await session.select<RecurringPaymentRow>(
      `${this.records.select}
        WHERE vendor_id = ? AND product_id = ? ORDER BY pre_key LIMIT ? ${session.dialect.forUpdate}`,
      [vendor_id, product_id, limit],
    );
    const keys = rows.map(({ pre_key }) => pre_key);
    for (const table of ['recurring_cancels', 'recurring_payments']) {
      await runByKeys(session, `DELETE FROM ${table}`, ['pre_key'], keys);
    }
    return rows.map(paymentOf);
  }

  countOf({ manager }: Session, vendor_id: number): Promise<number> {
    return manager.withRepository(this.payments).countBy({ vendor_id });
  }

  async setStatus(
    session: Session,
    pre_key: string,
    { content, overruled }: Overlaid<PaymentStatus>,
  ): Promise<void> {
    const changed = { ...statusColumns(content), overruled: textOf(overruled) };
    await session.manager.withRepository(this.payments).update({ pre_key }, changed);
  }

  /** Returns those of these keys that belong to a subscription, each with its product. */
  knownPreKeys(reader: Reader, pre_keys: Iterable<string>): Promise<KnownPreKey[]> {
    const select = 'SELECT pre_key, product_id FROM recurring_payments';
    return selectByKeys<KnownPreKey>(reader, select, ['pre_key'], [...pre_keys]);
  }
}
