import { Injectable } from '@nestjs/common';
import type { KeySearch } from '../../../ledger/reads/key-search.js';
import type { Reader } from '../../../platform/database/database.js';
import { isNamed, nameSearches, spelledRanges } from '../../transactions/index.js';
import { type NamedKey, SubscriptionNamesRepository } from './subscription-names.repository.js';

/** Limits what is read to find all subscriptions with a name. */
@Injectable()
export class NameBounds {
  /** Maximum number of sales whose subscription is read. */
  readonly sales: number = 2_000;
  /** Maximum number of entries of an index that are read for a first and a last name. */
  readonly entries: number = 20_000;
  /** Maximum number of look-ups of a spelling. */
  readonly lookups: number = 20;
  /** Maximum number of subscriptions of a page whose names are compared. */
  readonly compared: number = 2_000;
}

/** Selects subscriptions by the beginning of their customer's name. */
interface Wanted {
  readonly reader: Reader;
  readonly vendor_id: number;
  readonly text: string;
}

/**
 * Finds a vendor's subscriptions by the name of their customer: the first or last name in the newest
 * payment, or both, begins with a text, without regard to case.
 */
@Injectable()
export class SubscriptionNamesService {
  constructor(
    private readonly repository: SubscriptionNamesRepository,
    private readonly bounds: NameBounds,
  ) {}

  /**
   * Returns all subscriptions whose customer has a name, in no particular order.
   * @returns null if too many sales have such a name
   */
  async find(wanted: Wanted): Promise<readonly NamedKey[] | null> {
    const pre_keys = await this.preKeysOf(wanted);
    return pre_keys && (await this.among(wanted, pre_keys));
  }

  /**
   * Narrows a search to the subscriptions whose customer has a name. It reads the names of all keys
   * that the search reads, and counts no other pages.
   * @param others keys of subscriptions that are found whatever their customer is called
   */
  narrowed<Key extends Pick<NamedKey, 'pre_key'>>(
    { next, matches }: KeySearch<Key>,
    wanted: Wanted,
    others: readonly string[] = [],
  ): KeySearch<Key> {
    const found = new Set(others);
    return {
      next: async (after, take) => {
        const keys = await next(after, take);
        const pre_keys = keys.map(({ pre_key }) => pre_key);
        for (const { pre_key } of await this.among(wanted, pre_keys)) found.add(pre_key);
        return keys;
      },
      matches: (key) => found.has(key.pre_key) && (matches === null || matches(key)),
      isCounted: false,
      most: this.bounds.compared,
    };
  }

  private async among(
    { reader, vendor_id, text }: Wanted,
    pre_keys: readonly string[],
  ): Promise<readonly NamedKey[]> {
    if (pre_keys.length === 0) return [];
    const searches = nameSearches(text);
    const found = await this.repository.named(reader, vendor_id, pre_keys);
    return found.filter((key) => isNamed(key, searches));
  }

  /** Returns the keys in all sales with a name; null if there are too many of these sales. */
  private async preKeysOf({ reader, vendor_id, text }: Wanted): Promise<readonly string[] | null> {
    const pre_keys = new Set<string>();
    let { sales, entries, lookups } = this.bounds;
    for (const search of nameSearches(text)) {
      const { column, begin, other } = search;
      const ranges = spelledRanges(begin, async (range) => {
        lookups -= 1;
        if (lookups < 0) return null;
        return this.repository.firstName(reader, vendor_id, column, range);
      });
      for await (const range of ranges) {
        const spelled = { ...search, ...range };
        const most = 1 + (other === '' ? sales : entries);
        const read = await this.repository.count(reader, vendor_id, spelled, most);
        sales -= read.sales;
        if (other !== '') entries -= read.entries;
        if (sales < 0 || entries < 0) return null;
        if (read.sales === 0) continue;
        const some = await this.repository.preKeys(reader, vendor_id, spelled, read.sales);
        for (const pre_key of some) pre_keys.add(pre_key);
      }
      if (lookups < 0) return null;
    }
    return [...pre_keys];
  }
}
