import { Injectable } from '@nestjs/common';
import type { Reader, Session } from '../../../database/database.js';
import { PERSONAL_TRANSACTIONS as PERSONAL } from '../../../ledger-format/personal-data.js';
import {
  OldTransactionsRepository,
  type SalePlace,
  type SoldBefore,
} from './old-transactions.repository.js';
import { StoredPersonalDataService } from './stored-personal-data.service.js';

/** Contains the result of emptying a batch of sales. */
export interface EmptiedBatch {
  /** Number of sales whose personal data was removed. */
  readonly emptied: number;
  /** Last sale of the batch; null if no sale was left. */
  readonly last: SalePlace | null;
}

/** Removes the personal data of a vendor's sales before a day. */
@Injectable()
export class OldTransactionsService {
  constructor(
    private readonly repository: OldTransactionsRepository,
    private readonly stored: StoredPersonalDataService,
  ) {}

  /** Returns true if there is such a sale, with or without personal data. */
  async hasAny(reader: Reader, range: SoldBefore): Promise<boolean> {
    return (await this.repository.soldBefore(reader, range, 1)).length > 0;
  }

  /** Removes the personal data of the next sales, oldest first. */
  async emptyNext(session: Session, range: SoldBefore, limit: number): Promise<EmptiedBatch> {
    const sold = await this.repository.soldBefore(session, range, limit);
    const last = sold.at(-1);
    if (last === undefined) return { emptied: 0, last: null };
    const ids = sold.map(({ transaction_id }) => transaction_id);
    const emptied = await this.stored.replace(session, range.vendor_id, ids, (record) =>
      PERSONAL.isBefore(record, range.day) ? PERSONAL.emptied(record) : record,
    );
    return { emptied, last: { sale_date: last.sale_date, arrival: last.arrival } };
  }

  /** Counts the vendor's sales with personal data up to a place. */
  countPersonal(vendor_id: number, upTo: SalePlace): Promise<number> {
    return this.repository.countPersonal(vendor_id, upTo);
  }
}
