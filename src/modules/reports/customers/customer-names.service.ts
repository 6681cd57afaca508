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

/** Number of sales of a read, and the maximum number of such reads for a page. */
const [SALES, READS] = [500, 20];
/**
 * Number of sales of a read that looks whether any name has a spelling, and the maximum number of
 * such reads for a page; spellings after these are looked for with reads of full size.
 */
const [FEW_SALES, FEW_READS] = [20, 12];

/** The last name of a page: the number of its search, and its key in the order of the index. */
export interface NamePlace {
  readonly search: number;
  /** Empty before the first name. */
  readonly key: readonly string[];
}

/** The next names to read, with the number and the text of their search. */
interface SearchedRange {
  readonly search: number;
  readonly text: string;
  readonly range: NameRange;
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
    let few = 0;
    let reads = 0;
    for (;;) {
      const next = nextRange(searches, place);
      if (next === null) return { names, next: null, isStopped: false };
      if (reads === READS) return { names, next: place, isStopped: true };
      const { search, range } = next;
      const isNew = range.begin.length === 1 && few < FEW_READS;
      const { found, size } = await this.read(reader, vendor_id, next, isNew);
      if (isNew) few += 1;
      if (size === SALES) reads += 1;
      for (const name of found) {
        if (isSame(name, names.at(-1)) || searchOf(name, searches) !== search) continue;
        if (names.length === take) return { names, next: last, isStopped: false };
        names.push(name);
        last = { search, key: keyOf(name, range.column) };
      }
      const end = found.length < size ? undefined : found.at(-1);
      place =
        end === undefined
          ? { search: search + 1, key: [] }
          : { search, key: keyOf(end, range.column) };
    }
  }

  /**
   * Reads the names of the next sales, and returns how many sales it looked for.
   *
   * @param isNew true if it is unknown whether any name has the spelling: then it reads a few first
   */
  private async read(
    reader: Reader,
    vendor_id: number,
    { text, range }: SearchedRange,
    isNew: boolean,
  ) {
    if (isNew) {
      const found = await this.repository.next(reader, vendor_id, range, FEW_SALES);
      const end = found.length < FEW_SALES ? undefined : found.at(-1);
      const isAll = end === undefined || !isSpelled(end, range.column, text);
      if (isAll) return { found, size: FEW_SALES };
    }
    return { found: await this.repository.next(reader, vendor_id, range, SALES), size: SALES };
  }
}

/** Returns the next range to read after a place, with the number of its search; null at the end. */
function nextRange(
  searches: readonly NameSearch[],
  { search, key }: NamePlace,
): SearchedRange | null {
  const wanted = searches[search];
  if (wanted === undefined) return null;
  const { column, begin } = wanted;
  const { from, until } = rangeOfSpellings(begin, ALL_SCRIPTS);
  const [name] = key;
  if (name !== undefined && beginsWith(name, begin, ALL_SCRIPTS)) {
    return { search, text: begin, range: { column, begin: key, until } };
  }
  const next = nextSpelling(begin, name ?? from, ALL_SCRIPTS);
  if (next === null) return nextRange(searches, { search: search + 1, key: [] });
  return { search, text: begin, range: { column, begin: [next], until } };
}

/** Returns the number of the first search that finds a name, so that no other one repeats it. */
function searchOf(name: CustomerName, searches: readonly NameSearch[]): number {
  if (name.email === '') return -1;
  return searches.findIndex(({ column, begin, other }) => {
    const [own, others] = keyOf(name, column);
    return beginsWith(own, begin, ALL_SCRIPTS) && beginsWith(others, other, ALL_SCRIPTS);
  });
}

function isSpelled(name: CustomerName, column: NameColumn, text: string): boolean {
  return beginsWith(keyOf(name, column)[0], text, ALL_SCRIPTS);
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
