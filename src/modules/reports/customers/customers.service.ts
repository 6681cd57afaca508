import { Injectable } from '@nestjs/common';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import {
  noCursor,
  placeInQuery,
  queryCursorOf,
  type QueryIdentity,
} from '../../../ledger/reads/query-cursor.js';
import type { Reader } from '../../../platform/database/database.js';
import { spelledAlike } from '../../../platform/database/entities/spellings.js';
import { RecurringQueriesService } from '../../recurring/index.js';
import { CustomerNamesRepository } from './customer-names.repository.js';
import { CustomerNamesService, type NamePlace } from './customer-names.service.js';
import { CustomerSumsRepository } from './customer-sums.repository.js';
import { type Customer, type CustomerName, NO_SUMS } from './customer.model.js';

const NO_COUNTS = { all: 0, active: 0 } as const;

/** Requests one page of a vendor's customers whose name begins with a text. */
export interface CustomerQuery {
  readonly vendor_id: number;
  readonly name: string;
  readonly limit: number;
  /** Cursor of the page; null for the first one. */
  readonly after: string | null;
}

/** Finds customers of a vendor by their e-mail address or name (docs/queries.md). */
@Injectable()
export class CustomersService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly sums: CustomerSumsRepository,
    private readonly latest: CustomerNamesRepository,
    private readonly names: CustomerNamesService,
    private readonly recurring: RecurringQueriesService,
  ) {}

  /**
   * Returns the customer with everything that was committed before the call, and the cursor of that
   * state. The customer is null if neither a transaction nor a subscription has the e-mail address.
   */
  async customerWith(
    vendor_id: number,
    email: string,
  ): Promise<{ readonly customer: Customer | null; readonly cursor: number }> {
    const { customers, cursor } = await this.customersWith(vendor_id, [email]);
    return { customer: customers[0] ?? null, cursor };
  }

  /** Returns the customer with each of these e-mail addresses, as `customerWith` does. */
  customersWith(vendor_id: number, emails: readonly string[]) {
    return this.feed.readCurrent(vendor_id, async (reader, cursor) => {
      const latest = await this.latest.latest(reader, vendor_id, emails);
      const names = emails.map(
        (email, at) => latest[at] ?? { email: email.trim(), first_name: '', last_name: '' },
      );
      const found = await this.withSums(reader, vendor_id, names);
      const customers = found.map(({ customer, records }) => (records > 0 ? customer : null));
      return { customers, cursor };
    });
  }

  /**
   * Returns one page of the customers whose first or last name begins with a text, or both with its
   * words, with everything that was committed before the call.
   * @throws ApiError invalid_parameters if the cursor is not one of this query
   */
  page(query: CustomerQuery): Promise<{ customers: readonly Customer[]; meta: QueryMeta }> {
    const { vendor_id, limit } = query;
    const name = query.name.trim();
    const identity = { vendor_id, operation: 'customers', parameters: { name } };
    const after = query.after === null ? null : placeIn(identity, query.after);
    return this.feed.readCurrent(vendor_id, async (reader, cursor) => {
      const found = await this.names.find(reader, vendor_id, name, { after, take: limit });
      const { names, next, isStopped } = found;
      const customers = await this.withSums(reader, vendor_id, names);
      const meta = {
        total_count: after === null && next === null ? names.length : null,
        searched_to: isStopped ? (next?.key.slice(0, -1).join(', ') ?? null) : null,
        next_cursor: next === null ? null : queryCursorOf(identity, [next.search, ...next.key]),
        cursor: String(cursor),
      };
      return { customers: customers.map(({ customer }) => customer), meta };
    });
  }

  /**
   * Returns the e-mail addresses of the customers whose first or last name begins with a text, up to
   * `most`, and whether there are more.
   */
  emailsNamed(vendor_id: number, name: string, most: number) {
    return this.feed.readCurrent(vendor_id, async (reader) => {
      const page = { after: null, take: most };
      const { names, next } = await this.names.find(reader, vendor_id, name, page);
      return { emails: names.map(({ email }) => email), hasMore: next !== null };
    });
  }

  /** Reads the sums of all these customers together. */
  private async withSums(reader: Reader, vendor_id: number, names: readonly CustomerName[]) {
    if (names.length === 0) return [];
    const emails = [...new Set(names.map(({ email }) => spelledAlike(email)))];
    const sums = await this.sums.sumsOf(reader, vendor_id, emails);
    const counts = await this.recurring.countsOf(reader, vendor_id, emails);
    return names.map((name) => {
      const sold = sums.get(spelledAlike(name.email)) ?? NO_SUMS;
      const { all, active } = counts.get(spelledAlike(name.email)) ?? NO_COUNTS;
      const customer: Customer = { ...name, ...sold, active_recurring_payments: active };
      return { customer, records: sold.transactions + all };
    });
  }
}

/** @throws ApiError invalid_parameters if the text is not a cursor of this query */
function placeIn(identity: QueryIdentity, text: string): NamePlace {
  const [search, ...rest] = placeInQuery(identity, text);
  const key = rest.filter((part) => typeof part === 'string');
  const isKey = key.length === rest.length && (key.length === 0 || key.length === 3);
  if (typeof search !== 'number' || !isKey) throw noCursor();
  return { search, key };
}
