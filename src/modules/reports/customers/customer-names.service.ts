import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import {
  ALL_SCRIPTS,
  beginsWith,
  nextSpelling,
  rangeOfSpellings,
} from '../../../platform/database/entities/spellings.js';
import { nameSearches, type NameColumn, type NameSearch } from '../../transactions/index.js';
import type { CustomerName } from './customer.model.js';
import { CustomerNamesRepository, type NameRange } from './customer-names.repository.js';

/** Number of sales that one statement reads. */
const SALES = 500;
/** Maximum number of statements for a page. */
const READS = 20;

/** The last name of a page: the number of its search, and its key in the order of the index. */
export interface NamePlace {
  readonly search: number;
  /** Empty before the first name. */
  readonly key: readonly string[];
}

const BEGINNING: NamePlace = { search: 0, key: [] };

/** A page of customers by name. */
export interface FoundNames {
  readonly names: readonly CustomerName[];
  /** Place after which the next page begins; null on the last page. */
  readonly next: NamePlace | null;
  /** True if the page ended early, because it reached the limit of sales that are read. */
  readonly isStopped: boolean;
}

/**
 * Finds a vendor's customers by the beginning of their first or last name, or of both, without
 * regard to case. A customer whose sales have several names that match is found once for each.
 * Sales without an e-mail address are not found.
 */
@Injectable()
export class CustomerNamesService {
  constructor(private readonly repository: CustomerNamesRepository) {}

  /** @param after `next` of the page before; null for the first page */
  async find(
    reader: Reader,
    vendor_id: number,
    text: string,
    { after, take }: { readonly after: NamePlace | null; readonly take: number },
  ): Promise<FoundNames> {
    const searches = nameSearches(text);
    const names: CustomerName[] = [];
    let last = after ?? BEGINNING;
    let place = last;
    for (let reads = 0; ; reads += 1) {
      const next = nextRange(searches, place);
      if (next === null) return { names, next: null, isStopped: false };
      if (reads === READS) return { names, next: place, isStopped: true };
      const { search, range } = next;
      const found = await this.repository.next(reader, vendor_id, range, SALES);
      for (const name of found) {
        if (isSame(name, names.at(-1)) || searchOf(name, searches) !== search) continue;
        if (names.length === take) return { names, next: last, isStopped: false };
        names.push(name);
        last = { search, key: keyOf(name, range.column) };
      }
      const end = found.length < SALES ? undefined : found.at(-1);
      place =
        end === undefined
          ? { search: search + 1, key: [] }
          : { search, key: keyOf(end, range.column) };
    }
  }
}

/** Returns the next range to read after a place, with the number of its search; null at the end. */
function nextRange(
  searches: readonly NameSearch[],
  { search, key }: NamePlace,
): { readonly search: number; readonly range: NameRange } | null {
  const wanted = searches[search];
  if (wanted === undefined) return null;
  const { column, begin } = wanted;
  const { from, until } = rangeOfSpellings(begin, ALL_SCRIPTS);
  const [name] = key;
  if (name !== undefined && beginsWith(name, begin, ALL_SCRIPTS)) {
    return { search, range: { column, after: key, until } };
  }
  const next = nextSpelling(begin, name ?? from, ALL_SCRIPTS);
  if (next === null) return nextRange(searches, { search: search + 1, key: [] });
  // No customer has an empty e-mail address, so nothing is left out.
  return { search, range: { column, after: [next, '', ''], until } };
}

/** Returns the number of the first search that finds a name, so that no other one repeats it. */
function searchOf(name: CustomerName, searches: readonly NameSearch[]): number {
  if (name.email === '') return -1;
  return searches.findIndex(({ column, begin, other }) => {
    const [own, others] = keyOf(name, column);
    return beginsWith(own, begin, ALL_SCRIPTS) && beginsWith(others, other, ALL_SCRIPTS);
  });
}

function keyOf({ first_name, last_name, email }: CustomerName, column: NameColumn) {
  const [own, other] = column === 'first_name' ? [first_name, last_name] : [last_name, first_name];
  return [own, other, email] as const;
}

function isSame(name: CustomerName, other: CustomerName | undefined): boolean {
  return (
    name.email === other?.email &&
    name.first_name === other.first_name &&
    name.last_name === other.last_name
  );
}
