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

/** Reads of a page. Few are needed, unless a ledger's e-mails have capital letters anywhere. */
const MAX_READS = 50;
/** Before every sale of a customer, newest first. */
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER } as const;

export interface EmailsFound {
  readonly keys: readonly EmailKey[];
  /** Where the search goes on, if it has ended before the page was full and before the last e-mail. */
  readonly stoppedAt: EmailKey | null;
}

/**
 * Finds customers by the beginning of their e-mails, whatever the case of the letters A to Z. The ledger
 * compares e-mails byte for byte, and so does its index: the search goes through all spellings in it, and
 * jumps over what lies between them. So no other column has to be stored, filled and kept up to date.
 */
@Injectable()
export class SearchByEmail {
  constructor(private readonly repository: SearchRepository) {}

  /**
   * In the order of the e-mails, each one's sales newest first.
   * @param position the last sale that was looked at, or null at the beginning
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
      // The oldest sale that was found of this customer: the others are not to be found again.
      if (keys.at(-1)?.customer_email === last?.customer_email) last = keys.at(-1) ?? null;
      from = last === null ? null : nextSpelling(text, after(last.customer_email));
    }
    return { keys, stoppedAt: null };
  }

  /** What a page before has left of a customer's sales. */
  private async restOf(
    reader: Reader,
    text: string,
    position: EmailKey | null,
    take: number,
  ): Promise<EmailKey[]> {
    if (position === null || !beginsWith(position.customer_email, text)) return [];
    return this.repository.salesBefore(reader, position, take);
  }

  /** The newest sales of a customer with more than were read. */
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

/** The sales of each e-mail, newest first. */
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
