import { Injectable } from '@nestjs/common';
import type { TransactionRecord } from '../../../ledger-format/transaction.record.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import type { User } from '../../accounts/account.model.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import { wordsOf, type FieldWords, type UpstreamRead } from '../../upstreams/upstream.model.js';
import { detailedLine } from '../convert/detail-line.js';
import { paymentLine } from '../convert/other-lines.js';
import { detailedUser } from '../convert/user-line.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';
import { MirroredRecordsService } from './mirrored-records.service.js';

/** What version 2.1 tells of a sale, and the recurring payment that it names. */
export interface FetchedDetail {
  readonly read: UpstreamRead;
  readonly detail: WrittenRecord;
  /** Null if it names none, or it was read before. */
  readonly payment: unknown;
}

/** Writes what version 2.1 of an upstream tells of sales beyond 3.0. */
@Injectable()
export class MirroredDetailsService {
  constructor(
    private readonly records: MirroredRecordsService,
    private readonly accounts: AccountsService,
    private readonly transactions: TransactionWritesService,
  ) {}

  /**
   * Adds details to sales that are stored.
   * @throws TurnLostError
   */
  async store(turn: MirrorTurn, fetched: readonly FetchedDetail[]): Promise<void> {
    let results: readonly RecordResult[] = [];
    await turn.write(async (session, upstream) => {
      const ids = fetched.map(({ read }) => read.record_key);
      const placed = await this.transactions.stored(session, ids);
      const own = placed.filter(({ place }) => place.vendor_id === upstream.vendor_id);
      const sales = new Map(own.map(({ content }) => [content.transaction_id, content]));
      const affiliates = own.flatMap(({ content }) => content.affiliate_id ?? []);
      const users = await this.accounts.storedUsers(session, new Set(affiliates));
      const byId = new Map(users.map((user) => [user.id, user]));
      const words = wordsOf(upstream.words);
      const lines = fetched.flatMap((each) => {
        const sale = sales.get(each.read.record_key);
        return sale === undefined ? [] : linesOf(sale, byId, each, words);
      });
      results = await this.records.apply(session, upstream, lines);
      return { done: fetched.map(({ read }) => read) };
    });
    this.records.tellRejected(turn, results);
  }
}

/** The affiliate, the recurring payment and the sale: each may refer to those before. */
function linesOf(
  sale: TransactionRecord,
  users: ReadonlyMap<number, User>,
  { detail, payment }: FetchedDetail,
  words: FieldWords,
): WrittenRecord[] {
  const affiliate = users.get(sale.affiliate_id ?? 0);
  const isSame = affiliate !== undefined && String(detail.affiliate_id) === String(affiliate.id);
  return [
    ...(isSame ? [detailedUser(detail, affiliate)] : []),
    ...(payment === null ? [] : [paymentLine(payment, words)]),
    detailedLine(sale, detail, words),
  ];
}
