import { Injectable } from '@nestjs/common';
import type { Reader, Session } from '../../../database/database.js';
import { PERSONAL_TRANSACTIONS as PERSONAL } from '../../../ledger-format/personal-data.js';
import {
  OldTransactionsRepository,
  type SalePlace,
  type SoldBefore,
} from './old-transactions.repository.js';
import { StoredPersonalDataService } from './stored-personal-data.service.js';

/** A batch of sales that was emptied. */
export interface EmptiedBatch {
  /** How many had personal data. */
  readonly emptied: number;
  /** The last sale of the batch; null if there was none left. */
  readonly last: SalePlace | null;
}

/** Empties personal data of a vendor's sales before a day. */
@Injectable()
export class OldTransactionsService {
  constructor(
    private readonly repository: OldTransactionsRepository,
    private readonly stored: StoredPersonalDataService,
  ) {}

  /** True if there is such a sale, with or without personal data. */
  async hasAny(reader: Reader, range: SoldBefore): Promise<boolean> {
    return (await this.repository.soldBefore(reader, range, 1)).length > 0;
  }

  /** Empties the next ones, oldest first. */
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

  /** How many of a vendor's sales up to a place have personal data. */
  countPersonal(vendor_id: number, upTo: SalePlace): Promise<number> {
    return this.repository.countPersonal(vendor_id, upTo);
  }
}
