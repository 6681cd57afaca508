import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import type { Reader } from '../../../platform/database/database.js';
import { type Column, csvFile } from '../../../platform/files/csv.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { affiliateNameOf, SeenUsersRepository } from '../../accounts/index.js';
import { ItemNamesService } from '../item-names.service.js';
import {
  AffiliateCounts,
  type Affiliate,
  type AffiliateFigures,
  type UnpaidOfAffiliate,
  type UnpaidOfProduct,
} from './affiliate-figures.model.js';
import { AffiliateSumsRepository } from './affiliate-sums.repository.js';

/** Sums of unpaid commissions, in cents. */
export const OWED = ['unpaid_total', 'due_now', 'on_hold'] as const;
export type Owed = Pick<AffiliateFigures, (typeof OWED)[number]>;

export interface OwedForProduct extends UnpaidOfProduct {
  readonly name: string;
}

interface Payout extends Affiliate {
  /** Null if the vendor sees no e-mail. */
  readonly email: string | null;
  readonly figures: Owed;
}

/** Returns a column of a file with one of these sums. */
export function owedColumn(name: keyof Owed): Column<{ readonly figures: Owed }> {
  return { name, kind: 'money', valueOf: ({ figures }) => figures[name] };
}

function columnsIn(currency: string): readonly Column<Payout>[] {
  return [
    { name: 'affiliate_id', kind: 'number', valueOf: ({ id }) => id },
    { name: 'affiliate_name', kind: 'text', valueOf: ({ name }) => name },
    { name: 'email', kind: 'text', valueOf: ({ email }) => email },
    owedColumn('due_now'),
    owedColumn('on_hold'),
    owedColumn('unpaid_total'),
    { name: 'currency', kind: 'text', valueOf: () => currency },
  ];
}

/** Rows that a download writes at a time; other requests wait while they are written. */
const CSV_ROWS = 500;

/** Reports what a vendor owes to affiliates today. */
@Injectable()
export class PayoutsService {
  constructor(
    private readonly affiliates: AffiliateSumsRepository,
    private readonly feed: ChangesFeedService,
    private readonly users: SeenUsersRepository,
    private readonly names: ItemNamesService,
    private readonly settings: Settings,
  ) {}

  /** Returns the unpaid commissions of all affiliates, or of one. */
  unpaidOf(vendor_id: number, affiliate_id?: number): Promise<UnpaidOfAffiliate[]> {
    return this.read(vendor_id, (reader) =>
      this.affiliates.unpaid(reader, vendor_id, todayInUtc(), affiliate_id),
    );
  }

  /** Returns the products for which something is owed to an affiliate. */
  async owedForProducts(vendor_id: number, affiliate_id: number): Promise<OwedForProduct[]> {
    const owed = await this.read(vendor_id, (reader) =>
      this.affiliates.unpaidByProduct(reader, vendor_id, affiliate_id),
    );
    const ids = owed.map(({ product_id }) => product_id);
    const names = await this.names.namesOf({ user_id: vendor_id }, 'product', ids);
    return owed.map((each) => ({
      ...each,
      name: names.get(each.product_id) ?? String(each.product_id),
    }));
  }

  /** Returns the affiliates with unpaid commissions as CSV for a spreadsheet, by id. */
  csv(vendor_id: number): AsyncGenerator<string> {
    return csvFile(columnsIn(this.settings.currency), 'spreadsheet', this.batches(vendor_id));
  }

  private async *batches(vendor_id: number): AsyncGenerator<Payout[]> {
    const counts = new AffiliateCounts();
    counts.addUnpaid(await this.unpaidOf(vendor_id));
    const ids = counts.affiliate_ids.sort((left, right) => left - right);
    for (let at = 0; at < ids.length; at += CSV_ROWS) {
      const some = ids.slice(at, at + CSV_ROWS);
      const users = await this.users.usersSeenBy(vendor_id, some);
      const byId = new Map(users.map((user) => [user.id, user]));
      yield some.map((id) => {
        const user = byId.get(id);
        const name = user === undefined ? String(id) : affiliateNameOf(user);
        return { id, name, email: user?.email ?? null, figures: counts.figuresOf(id) };
      });
      await yieldToOthers();
    }
  }

  /** Reads with every change of affiliate terms until now, which the revision does not cover. */
  private read<Result>(vendor_id: number, work: (reader: Reader) => Promise<Result>) {
    return this.feed.readCurrent(vendor_id, work);
  }
}
