import { Injectable } from '@nestjs/common';
import { isRecord } from '../../../common/validation/is-record.js';
import type { Session } from '../../../database/database.js';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import {
  writtenTransaction,
  type WrittenRecord,
} from '../../../ledger-format/written-transaction.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { User } from '../../accounts/account.model.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import { ProductsService } from '../../products/products.service.js';
import { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import {
  wordsOf,
  type FieldWords,
  type RunKind,
  type Upstream,
  type UpstreamRead,
} from '../../upstreams/upstream.model.js';
import { affiliateIdIn, listedFields } from '../convert/listed-line.js';
import { listedUser } from '../convert/user-line.js';
import { productLine } from '../convert/other-lines.js';
import type { ListedSale } from '../listing/list-page.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';
import { MirroredRecordsService } from './mirrored-records.service.js';
import { readsAfter } from './sale-reads.js';

/** What is stored of the sales of a page, and of what they name. */
interface Stored {
  readonly sales: ReadonlyMap<string, TransactionRecord>;
  readonly users: ReadonlyMap<number, User>;
  readonly products: ReadonlySet<number>;
}

export interface ListedOptions {
  readonly kind: RunKind;
  /** Reads that brought these sales. */
  readonly done?: readonly UpstreamRead[];
}

/** Writes sales as version 3.0 of an upstream lists them. */
@Injectable()
export class MirroredSalesService {
  constructor(
    private readonly records: MirroredRecordsService,
    private readonly accounts: AccountsService,
    private readonly products: ProductsService,
    private readonly transactions: TransactionWritesService,
  ) {}

  /**
   * Writes listed sales with their affiliates. What other versions told of them before stays.
   * @param listed newest first, as in the list: so that the oldest arrives first
   * @throws TurnLostError
   */
  async store(
    turn: MirrorTurn,
    listed: readonly ListedSale[],
    { kind, done = [] }: ListedOptions,
  ): Promise<void> {
    const oldestFirst = listed.toReversed();
    let results: readonly RecordResult[] = [];
    await turn.write(async (session, upstream) => {
      const stored = await this.storedOf(session, upstream, oldestFirst);
      const before = linesBefore(oldestFirst, stored, upstream);
      const words = wordsOf(upstream.words);
      const lines = oldestFirst.map((each) => lineOf(each, stored, words));
      results = await this.records.apply(session, upstream, [...before, ...lines]);
      const changedUsers = new Set(
        results
          .slice(0, before.length)
          .filter(isChange)
          .map(({ type, key }) => `${type} ${key}`),
      );
      const added = oldestFirst.flatMap((each, index) => {
        const result = results[before.length + index];
        const affiliate_id = affiliateIdIn(each.sale);
        if (result === undefined || each.sale_date === null) return [];
        const { product_id } = each.sale;
        const hasNewAffiliate = isId(affiliate_id) && changedUsers.has(`user ${affiliate_id}`);
        const own = { transaction_id: each.name, sale_date: each.sale_date, hasNewAffiliate };
        const { verdict } = result;
        const of = { product_id, affiliate_id, verdict, stored: stored.sales.get(each.name) };
        return readsAfter({ ...own, ...of }, kind);
      });
      const count = upstream.listed + (done.length === 0 ? listed.length : 0);
      return { upstream: { listed: count }, added, done };
    });
    this.records.tellRejected(turn, results);
  }

  /** Of other vendors nothing counts as stored: their records are refused when they are written. */
  private async storedOf(
    session: Session,
    { vendor_id }: Upstream,
    listed: readonly ListedSale[],
  ): Promise<Stored> {
    const ids = listed.map(({ name }) => name);
    const sales = await this.transactions.stored(session, ids);
    const affiliates = listed.map(({ sale }) => affiliateIdIn(sale)).filter(isId);
    const users = await this.accounts.storedUsers(session, new Set(affiliates));
    const products = listed.map(({ sale }) => sale.product_id).filter(isId);
    const known = await this.products.storedProducts(session, new Set(products));
    return {
      sales: new Map(
        sales.flatMap(({ place, content }) =>
          place.vendor_id === vendor_id ? [[content.transaction_id, content] as const] : [],
        ),
      ),
      users: new Map(users.map((user) => [user.id, user])),
      products: new Set(known.map(({ id }) => id)),
    };
  }
}

/** The affiliates, and products that the upstream's list of names had not. */
function linesBefore(
  listed: readonly ListedSale[],
  { users, products }: Stored,
  { vendor_id }: Upstream,
): WrittenRecord[] {
  const before = new Map<string, WrittenRecord>();
  for (const { sale } of listed) {
    const affiliate_id = affiliateIdIn(sale);
    if (affiliate_id !== null) {
      const stored = isId(affiliate_id) ? users.get(affiliate_id) : undefined;
      before.set(`user ${JSON.stringify(affiliate_id)}`, listedUser(sale, stored));
    }
    const { product_id } = sale;
    if (!isId(product_id) || products.has(product_id)) continue;
    before.set(`product ${product_id}`, productLine(sale, vendor_id));
  }
  return [...before.values()];
}

/** A listed sale over what is stored of it. */
function lineOf({ name, sale }: ListedSale, { sales }: Stored, words: FieldWords): WrittenRecord {
  const listed = listedFields(sale, words);
  const stored = sales.get(name);
  if (stored === undefined) return listed;
  const written = writtenTransaction(stored);
  const { customer } = listed;
  if (!isRecord(customer)) return { ...written, ...listed };
  return { ...written, ...listed, customer: { ...written.customer, ...customer } };
}

function isChange({ verdict }: RecordResult): boolean {
  return verdict === 'inserted' || verdict === 'updated';
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
