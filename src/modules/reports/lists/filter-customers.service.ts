import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { spelledAlike } from '../../../platform/database/entities/spellings.js';
import { CustomerNamesService } from '../customers/customer-names.service.js';
import { MAX_SEARCHED, SearchService } from '../sale/search.service.js';

/** Maximum number of customers, and of transactions, that a text offers. */
const MAX_OFFERED = 8;

/** The customers and the transactions that a text of the filter can mean. */
export interface MeantByText {
  /** Names of customers by e-mail address. */
  readonly customers: ReadonlyMap<string, string>;
  readonly transaction_ids: readonly string[];
  /** True if there are more than these. */
  readonly hasMore: boolean;
}

/**
 * Finds the customers by whom a list is filtered. No index combines the beginning of a name with
 * the other filters, so a text first leads to one customer, whose e-mail address an index serves.
 */
@Injectable()
export class FilterCustomersService {
  constructor(
    private readonly sales: SearchService,
    private readonly names: CustomerNamesService,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Finds customers by the beginning of their e-mail address or name, and transactions by the
   * beginning of their id, in any letter case. A text that is a whole e-mail address or a whole id
   * means that one alone.
   */
  async find(vendor_id: number, text: string): Promise<MeantByText> {
    if (text.length > MAX_SEARCHED) return NOTHING;
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    const { byId, byEmail, next, hasMoreIds } = await this.sales.search({
      viewer,
      text,
      cursor: null,
    });
    const whole = byId.find(({ transaction_id }) => transaction_id === text);
    if (whole !== undefined) return { ...NOTHING, transaction_ids: [text] };
    const sold = byEmail.map((sale) => [sale.customer_email, nameOf(sale)] as const);
    const alike = sold.find(([email]) => spelledAlike(email) === spelledAlike(text));
    if (alike !== undefined) return { ...NOTHING, customers: new Map([alike]) };
    const named = text.includes('@') ? [] : await this.namedLike(vendor_id, text);
    const customers = new Map([...sold, ...named].map((each) => [spelledAlike(each[0]), each]));
    return {
      customers: new Map([...customers.values()].slice(0, MAX_OFFERED)),
      transaction_ids: byId.slice(0, MAX_OFFERED).map(({ transaction_id }) => transaction_id),
      hasMore:
        hasMoreIds || next !== null || customers.size > MAX_OFFERED || byId.length > MAX_OFFERED,
    };
  }

  private namedLike(vendor_id: number, text: string) {
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    return this.reads.readFor(viewer, async (reader) => {
      const page = { after: null, take: MAX_OFFERED + 1 };
      const { names } = await this.names.find(reader, vendor_id, text, page);
      return names.map(({ email, first_name, last_name }) => {
        return [email, `${first_name} ${last_name}`.trim()] as const;
      });
    });
  }
}

const NOTHING: MeantByText = { customers: new Map(), transaction_ids: [], hasMore: false };

function nameOf(sale: {
  readonly customer_first_name: string;
  readonly customer_last_name: string;
}): string {
  return `${sale.customer_first_name} ${sale.customer_last_name}`.trim();
}
