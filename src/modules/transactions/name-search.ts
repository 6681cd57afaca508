import {
  ALL_SCRIPTS,
  beginsWith,
  endOf,
  nextSpelling,
  rangeOfSpellings,
} from '../../platform/database/entities/spellings.js';
import type { StoredTransaction } from '../../ledger/reads/transaction.model.js';

/** The columns with the names of a customer. */
export type NameColumn = 'first_name' | 'last_name';

/** A way in which a text can be a name: it is read from the index of one column. */
export interface NameSearch {
  readonly column: NameColumn;
  readonly begin: string;
  /** Beginning of the other name; empty for any. */
  readonly other: string;
}

/** The names of the customer of a sale. */
export type NamesOfSale = Pick<StoredTransaction, 'customer_first_name' | 'customer_last_name'>;

/**
 * Returns the ways in which a text can be the beginning of a first or last name, or of both. Letters
 * with accents have two forms in Unicode.
 */
export function nameSearches(text: string): NameSearch[] {
  const forms = new Set([text.normalize('NFC'), text.normalize('NFD')]);
  return [...forms].flatMap((form) => {
    const words = form.split(/\s+/);
    const [most, last] = [words.slice(0, -1).join(' '), words.at(-1) ?? ''];
    const ways: NameSearch[] = [
      { column: 'first_name', begin: form, other: '' },
      { column: 'last_name', begin: form, other: '' },
    ];
    if (most === '') return ways;
    return [
      ...ways,
      { column: 'last_name', begin: last, other: most },
      { column: 'last_name', begin: most, other: last },
    ];
  });
}

/** Returns true if one of the searches finds the customer of a sale. */
export function isNamed(sale: NamesOfSale, searches: readonly NameSearch[]): boolean {
  const { customer_first_name: first, customer_last_name: last } = sale;
  return searches.some(({ column, begin, other }) => {
    const [own, others] = column === 'first_name' ? [first, last] : [last, first];
    return beginsWith(own, begin, ALL_SCRIPTS) && beginsWith(others, other, ALL_SCRIPTS);
  });
}

/** A range of texts; `until` is not included. */
export interface TextRange {
  readonly from: string;
  readonly until: string;
}

/**
 * Yields a range for each spelling of a beginning that names have, such as ANN and Ann, and skips
 * the names between them.
 * @param firstIn returns the first name in a range, or null if the range is empty
 */
export async function* spelledRanges(
  begin: string,
  firstIn: (range: TextRange) => Promise<string | null>,
): AsyncGenerator<TextRange> {
  const length = Array.from(begin).length;
  const { from, until } = rangeOfSpellings(begin, ALL_SCRIPTS);
  let next = nextSpelling(begin, from, ALL_SCRIPTS);
  while (next !== null) {
    const name = await firstIn({ from: next, until });
    if (name === null) return;
    let place = name;
    if (beginsWith(name, begin, ALL_SCRIPTS)) {
      const spelled = Array.from(name).slice(0, length).join('');
      place = endOf(spelled);
      yield { from: spelled, until: place };
    }
    next = nextSpelling(begin, place, ALL_SCRIPTS);
  }
}
