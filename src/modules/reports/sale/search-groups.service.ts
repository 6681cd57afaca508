import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { spelledAlike } from '../../../platform/database/entities/spellings.js';
import { SeenUsersRepository, affiliateNameOf } from '../../accounts/index.js';
import { type Product, ProductsService } from '../../products/index.js';
import { type ListedPayment, RecurringListsService } from '../../recurring/index.js';
import { type Affiliate, AffiliateCounts } from '../affiliates/affiliate-figures.model.js';
import { AffiliateReportsService } from '../affiliates/affiliate-reports.service.js';
import { PayoutsService } from '../affiliates/payouts.service.js';
import type { Customer } from '../customers/customer.model.js';
import { CustomersService } from '../customers/customers.service.js';
import { foldedName } from '../item-names.service.js';
import type { FoundSale } from './search.repository.js';

/** Maximum number of results of each group. */
const SHOWN = 5;
/** Maximum number of customers with a name that are counted. */
const MAX_COUNTED = 100;
/** Maximum number of users whose names are compared, and of those that may be no affiliates. */
const [MAX_USERS, MAX_CHECKED] = [10_000, 50];
/** Shorter beginnings of names and ids would find too much. */
const MIN_TEXT = 2;

/** Some of the results of one kind. */
export interface FoundGroup<Item> {
  readonly items: readonly Item[];
  /** Number of results, at least. */
  readonly count: number;
  /** True if there are more than the count. */
  readonly hasMore: boolean;
}

/** Some sales, and whether there are more of them. */
interface SalesByEmail {
  readonly sales: readonly FoundSale[];
  readonly hasMore: boolean;
}

/** An affiliate, and what the vendor has not paid to them, in cents. */
export interface FoundAffiliate extends Affiliate {
  readonly unpaid_total: bigint;
}

/** Some of the customers whose name or e-mail begins with a text. */
export interface FoundCustomers extends FoundGroup<Customer> {
  /** True if the name of any of them begins with the text. */
  readonly isNamed: boolean;
}

/** Results of a search that are no sales, by their kind. */
export interface SearchGroups {
  readonly customers: FoundCustomers;
  readonly affiliates: FoundGroup<FoundAffiliate>;
  readonly products: FoundGroup<Product>;
  readonly subscriptions: FoundGroup<ListedPayment>;
}

const NOTHING = { items: [], count: 0, hasMore: false } as const;

/** Finds what belongs to a vendor by names and ids, with a few results of each kind. */
@Injectable()
export class SearchGroupsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly affiliates: AffiliateReportsService,
    private readonly payouts: PayoutsService,
    private readonly users: SeenUsersRepository,
    private readonly products: ProductsService,
    private readonly subscriptions: RecurringListsService,
  ) {}

  /** @param byEmail sales whose customer's e-mail address begins with the text */
  async find(vendor_id: number, text: string, byEmail: SalesByEmail): Promise<SearchGroups> {
    const isShort = Array.from(text).length < MIN_TEXT;
    const [customers, affiliates, products, subscriptions] = await Promise.all([
      this.customersLike(vendor_id, text, byEmail),
      this.affiliatesLike(vendor_id, text),
      this.productsLike(vendor_id, text),
      isShort ? NOTHING : this.subscriptionsLike(vendor_id, text),
    ]);
    return { customers, affiliates, products, subscriptions };
  }

  private async customersLike(
    vendor_id: number,
    text: string,
    { sales, hasMore }: SalesByEmail,
  ): Promise<FoundCustomers> {
    // A subscription may have an address that no sale has.
    const emails = new Set(text.includes('@') ? [spelledAlike(text)] : []);
    const newest = newestFirst(sales, ({ sale_date }) => sale_date);
    for (const { customer_email } of newest) emails.add(spelledAlike(customer_email));
    const mayBeName = !text.includes('@') && isName(text);
    const named = mayBeName ? await this.customers.emailsNamed(vendor_id, text, MAX_COUNTED) : null;
    for (const email of named?.emails ?? []) emails.add(spelledAlike(email));
    const { items, missing } = await this.firstCustomers(vendor_id, [...emails]);
    return {
      items: newestFirst(items, ({ last_sale_date }) => last_sale_date),
      count: emails.size - missing,
      hasMore: hasMore || (named?.hasMore ?? false),
      isNamed: named !== null && named.emails.length > 0,
    };
  }

  /** Returns the first customers of these, and how many of those before them do not exist. */
  private async firstCustomers(vendor_id: number, emails: readonly string[]) {
    const items: Customer[] = [];
    let read = 0;
    while (items.length < SHOWN && read < emails.length) {
      const next = emails.slice(read, read + SHOWN - items.length);
      const { customers } = await this.customers.customersWith(vendor_id, next);
      items.push(...customers.filter((customer) => customer !== null));
      read += next.length;
    }
    return { items, missing: read - items.length };
  }

  private async affiliatesLike(
    vendor_id: number,
    text: string,
  ): Promise<FoundGroup<FoundAffiliate>> {
    const ids = /^\d{1,15}$/.test(text) ? [Number(text)] : [];
    if (isName(text)) {
      const seen = await this.users.allSeenBy(vendor_id, MAX_USERS);
      const named = seen.filter((user) => hasWord(affiliateNameOf(user), text));
      ids.push(...named.slice(0, MAX_CHECKED).map(({ id }) => id));
    }
    const found: Affiliate[] = [];
    for (const id of new Set(ids)) {
      if (found.length > SHOWN) break;
      found.push(...(await this.affiliateWith(vendor_id, id)));
    }
    const group = groupOf(found);
    const items = await Promise.all(group.items.map((one) => this.withUnpaid(vendor_id, one)));
    return { ...group, items };
  }

  private async withUnpaid(vendor_id: number, affiliate: Affiliate): Promise<FoundAffiliate> {
    const counts = new AffiliateCounts();
    counts.addUnpaid(await this.payouts.unpaidOf(vendor_id, affiliate.id));
    return { ...affiliate, unpaid_total: counts.figuresOf(affiliate.id).unpaid_total };
  }

  /** Returns the affiliate with this id, or nothing if the vendor has no such affiliate. */
  private async affiliateWith(vendor_id: number, id: number): Promise<Affiliate[]> {
    try {
      return [await this.affiliates.affiliateOf(vendor_id, id)];
    } catch (error) {
      if (error instanceof ApiError && error.failure === 'not_found') return [];
      throw error;
    }
  }

  private async productsLike(vendor_id: number, text: string): Promise<FoundGroup<Product>> {
    const all = await this.products.productsOf(vendor_id);
    return groupOf(
      all.filter(({ id, name }) => String(id) === text || (isName(text) && hasWord(name, text))),
      all.length,
    );
  }

  private async subscriptionsLike(
    vendor_id: number,
    text: string,
  ): Promise<FoundGroup<ListedPayment>> {
    return groupOf(await this.subscriptions.beginningWith(vendor_id, text, SHOWN + 1));
  }
}

/** Returns entries by a date, newest first; those without one come last. */
function newestFirst<Entry>(
  entries: readonly Entry[],
  dateOf: (entry: Entry) => string | null,
): Entry[] {
  const date = (entry: Entry) => dateOf(entry) ?? '';
  return entries.toSorted(
    (one, other) => Number(date(one) < date(other)) - Number(date(one) > date(other)),
  );
}

/** @param most number of results up to which all were read */
function groupOf<Item>(found: readonly Item[], most = SHOWN): FoundGroup<Item> {
  const items = found.slice(0, SHOWN);
  const count = Math.min(found.length, most);
  return { items, count, hasMore: found.length > count };
}

/** Returns true for a text that is long enough: names of some scripts have one character. */
function isName(text: string): boolean {
  return Array.from(text).length >= MIN_TEXT || /[^\p{ASCII}]/u.test(text);
}

/** Returns true if a word of the name, and what follows it, begins with the text in any case. */
function hasWord(name: string, text: string): boolean {
  const [words, wanted] = [foldedName(name), foldedName(text)];
  return words.startsWith(wanted) || words.includes(` ${wanted}`);
}
