import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { ApiError } from '../../api/errors/api-error.js';
import { Database, type EntityReader, type Session } from '../../platform/database/database.js';
import { recordOf } from '../../platform/values/record-of.js';
import { TRANSACTION_ID } from '../records/transaction.record.js';
import { LedgerLocksRepository } from '../revisions/ledger-locks.repository.js';
import { TransactionEntity } from './transaction.entity.js';

/** Describes a sale, without personal data. Money is in cents, date-times are in UTC. */
export interface Sale {
  readonly vendor_id: number;
  /** At most 64 characters; upper and lower case differ. */
  readonly transaction_id: string;
  readonly product_id: number;
  readonly product_name: string;
  /** Date-time such as `2025-06-01 18:03:11`. */
  readonly sale_date: string;
  readonly status: 'pending' | 'completed' | 'refunded' | 'charged_back';
  /** Price that the customer paid. */
  readonly amount: number;
  /** Share of the vendor. */
  readonly seller_earnings: number;
  /** Null for a sale without an affiliate. */
  readonly affiliate_id: number | null;
  /** Key of the subscription that the sale belongs to, or null. */
  readonly pre_key: string | null;
}

const COLUMNS = [
  'vendor_id',
  'transaction_id',
  'product_id',
  'product_name',
  'sale_date',
  'status',
  'amount',
  'seller_earnings',
  'affiliate_id',
  'pre_key',
] as const satisfies readonly (keyof Sale)[];

/** Maximum number of sales in one read. */
const MAX_SALES = 1_000;

/** Reads sales of the ledger for extensions. A constructor injects it. */
@Injectable()
export class LedgerSales {
  /** @internal */
  constructor(
    private readonly database: Database,
    private readonly locks: LedgerLocksRepository,
  ) {}

  /**
   * Returns a sale of this vendor.
   * @param reader - a session, to read in its transaction; by default committed data is read
   * @throws ApiError not_found if the vendor has no such sale
   */
  async ownSale(
    vendor_id: number,
    transaction_id: string,
    reader: EntityReader = this.database,
  ): Promise<Sale> {
    const [sale] = await this.salesOf(vendor_id, [transaction_id], reader);
    if (sale === undefined) throw new ApiError('not_found', 'There is no such transaction.');
    return sale;
  }

  /**
   * Returns the sales of this vendor with these ids, sorted by sale date. Other ids are skipped.
   * @param transaction_ids - at most 1,000
   * @param reader - a session, to read in its transaction; by default committed data is read
   */
  async salesOf(
    vendor_id: number,
    transaction_ids: readonly string[],
    reader: EntityReader = this.database,
  ): Promise<Sale[]> {
    if (transaction_ids.length > MAX_SALES) throw new RangeError(`more than ${MAX_SALES} sales`);
    const ids = transaction_ids.filter((id) => TRANSACTION_ID.test(id));
    if (ids.length === 0) return [];
    return reader.manager.getRepository(TransactionEntity).find({
      select: recordOf(COLUMNS, () => true),
      where: { vendor_id, transaction_id: In(ids) },
      order: { sale_date: 'ASC', arrival: 'ASC' },
    });
  }

  /**
   * Returns a sale of this vendor, and locks the vendor's ledger until the session ends. Until then
   * the sale stays unchanged, and no customer of the vendor is erased.
   * @throws ApiError not_found if the vendor has no such sale
   */
  async lockOwnSale(session: Session, vendor_id: number, transaction_id: string): Promise<Sale> {
    // The first read avoids a lock for a sale that the vendor does not have.
    await this.ownSale(vendor_id, transaction_id, session);
    await this.locks.lockLedgers(session, [vendor_id]);
    return this.ownSale(vendor_id, transaction_id, session);
  }
}
