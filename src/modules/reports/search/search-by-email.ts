import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import type { EmailKey } from './search.model.js';
import { SearchRepository } from './search.repository.js';
import {
  after,
  beginsWith,
  endOf,
  lowerCase,
  nextSpelling,
  upperCase,
} from '../../../database/text-ranges.js';

/**
 * Maximum number of reads for a page. Few are needed, unless the ledger's e-mail addresses mix
 * upper and lower case.
 */
const MAX_READS = 50;
/** A position before every sale of a customer, newest first. */
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER } as const;

export interface EmailsFound {
  readonly keys: readonly EmailKey[];
  /**
   * Position where the next page continues, if the search ended before the page was full and before
   * the last e-mail address; otherwise null.
   */
  readonly stoppedAt: EmailKey | null;
}

/**
 * Finds customers by the beginning of their e-mail addresses, ignoring the case of the letters A to
 * Z. The ledger and its index compare e-mail addresses byte for byte, so the search visits all
 * spellings in the index and skips the entries between them. No additional column has to be stored
 * and kept up to date.
 */
@Injectable()
export class SearchByEmail {
  constructor(private readonly repository: SearchRepository) {}

  /**
   * Returns sales in the order of the e-mail addresses, the newest first for each.
   * @param position the last sale that the search has read, or null at the beginning
   */
  async find(
    reader: Reader,
    { vendor_id, text }: { readonly vendor_id: number; readonly text: string },
    position: EmailKey | null,
    take: number,
  ): Promise<EmailsFound> {
    const keys = await this.restOf(reader, text, position, take);
    const until = endOf(lowerCase(text));
    const begin = position === null ? upperCase(text) : after(position.customer_email);
    let from = nextSpelling(text, begin);
    let last = position;
    for (let reads = 0; from !== null && keys.length < take; reads += 1) {
      if (reads === MAX_READS) return { keys, stoppedAt: last };
      const size = take - keys.length + 1;
      const run = await this.repository.emailsFrom(reader, vendor_id, { from, until }, size);
      last = run.length === size ? (run.at(-1) ?? null) : null;
      const found = run.filter(({ customer_email }) => beginsWith(customer_email, text));
      for (const sales of byEmail(found)) {
        const isCut = sales[0]?.customer_email === last?.customer_email;
        keys.push(...(isCut ? await this.newestOf(reader, sales, take) : sales));
      }
      // The next page begins after the oldest sale that was found of this customer, so that none is
      // found twice.
      if (keys.at(-1)?.customer_email === last?.customer_email) last = keys.at(-1) ?? null;
      from = last === null ? null : nextSpelling(text, after(last.customer_email));
    }
    return { keys, stoppedAt: null };
  }

  /** Returns the sales of a customer that the preceding page left over. */
  private async restOf(
    reader: Reader,
    text: string,
    position: EmailKey | null,
    take: number,
  ): Promise<EmailKey[]> {
    if (position === null || !beginsWith(position.customer_email, text)) return [];
    return this.repository.salesBefore(reader, position, take);
  }

  /** Returns the newest sales of a customer who has more sales than were read. */
  private async newestOf(
    reader: Reader,
    [sale]: readonly EmailKey[],
    take: number,
  ): Promise<EmailKey[]> {
    return sale === undefined
      ? []
      : this.repository.salesBefore(reader, { ...sale, ...NEWEST }, take);
  }
}

/** Groups the sales by e-mail address, newest first. */
function byEmail(sales: readonly EmailKey[]): EmailKey[][] {
  const groups = new Map<string, EmailKey[]>();
  for (const sale of sales) {
    const group = groups.get(sale.customer_email);
    if (group === undefined) groups.set(sale.customer_email, [sale]);
    else group.push(sale);
  }
  return Array.from(groups.values(), (group) => group.sort(newestFirst));
}

function newestFirst(left: EmailKey, right: EmailKey): number {
  if (left.sale_date !== right.sale_date) return left.sale_date < right.sale_date ? 1 : -1;
  return right.arrival - left.arrival;
}
