import { Injectable } from '@nestjs/common';
import {
  writtenTransaction,
  type WrittenRecord,
} from '../../../ledger/records/written-transaction.js';
import {
  PersonSubscriptionsService,
  presentRecurringPayment,
  type RecurringPayment,
} from '../../recurring/index.js';
import { PersonSalesService } from '../../transactions/index.js';
import {
  ExtensionRowsService,
  type PersonalTableList,
} from '../extension-rows/extension-rows.service.js';
import { checkedEmail, countsOf, recordsOf, type FoundPerson } from './people.model.js';

/** Finds and exports the stored data of a customer. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly sales: PersonSalesService,
    private readonly subscriptions: PersonSubscriptionsService,
    private readonly rows: ExtensionRowsService,
  ) {}

  /**
   * Finds the vendors that have data of a customer.
   * @param vendor_id null for all vendors
   * @returns the vendors with the number of their records
   * @throws InvalidPersonError if the text is not an e-mail address
   */
  async find(text: string, vendor_id: number | null): Promise<FoundPerson[]> {
    const email = checkedEmail(text);
    const found: FoundPerson[] = [];
    const tables = await this.rows.tables();
    for (const vendor of await this.vendors(vendor_id, tables)) {
      const person = { vendor_id: vendor, email };
      const sales = await this.sales.count(person);
      const recurring_payments = await this.subscriptions.count(person);
      const extension_rows = await this.rows.count(tables, person);
      const counts = countsOf(sales.sales, recurring_payments, extension_rows);
      if (recordsOf(counts) === 0) continue;
      found.push({ vendor_id: vendor, ...sales, ...counts });
    }
    return found;
  }

  /**
   * Yields all stored data of a customer, in batches: records as in a ledger file, and rows of
   * extensions, each with its vendor.
   * @throws InvalidPersonError if the text is not an e-mail address
   */
  async *records(text: string, vendor_id: number | null): AsyncGenerator<WrittenRecord> {
    const email = checkedEmail(text);
    const tables = await this.rows.tables();
    for (const vendor of await this.vendors(vendor_id, tables)) {
      const person = { vendor_id: vendor, email };
      for await (const payments of this.subscriptions.records(person)) {
        for (const payment of payments) yield { vendor_id: vendor, ...writtenPayment(payment) };
      }
      for await (const sales of this.sales.records(person)) {
        for (const sale of sales) yield { vendor_id: vendor, ...writtenTransaction(sale) };
      }
      for await (const rows of this.rows.records(tables, person)) yield* rows;
    }
  }

  /** Yields the records of a customer as the text of one JSON document. */
  async *json(text: string, vendor_id: number | null): AsyncGenerator<string> {
    let separator = '{"records":[\n';
    for await (const record of this.records(text, vendor_id)) {
      yield `${separator}${JSON.stringify(record)}`;
      separator = ',\n';
    }
    yield separator === ',\n' ? '\n]}\n' : '{"records":[]}\n';
  }

  private vendors(vendor_id: number | null, tables: PersonalTableList): Promise<readonly number[]> {
    return vendor_id === null ? this.rows.vendorIds(tables) : Promise.resolve([vendor_id]);
  }
}

/** Returns a subscription as a ledger file has it: the reverse of `readRecurringPayment`. */
function writtenPayment(payment: RecurringPayment): WrittenRecord {
  const { preKey: pre_key, ...shown } = presentRecurringPayment(payment);
  return { type: 'recurring_payment', ...payment, ...shown, pre_key };
}
