import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../platform/values/time.js';
import { Database } from '../../../platform/database/database.js';
import { RecordFields } from '../../../ledger/records/record-fields.js';
import { NAME_TEXT } from '../../../ledger/files/text-rule.js';
import { readUser, type UserRecord } from '../../../ledger/records/user.record.js';
import { OutgoingHttps } from '../../../platform/outgoing/outgoing-https.js';
import { NO_LEASE } from '../../../platform/jobs/lease.js';
import { AccountsService } from '../../accounts/index.js';
import { pathPart, UpstreamError } from '../client/upstream-answer.js';
import { UpstreamClientService } from '../client/upstream-client.service.js';
import { objectOf, idIn, SentFields, transactionIdIn } from '../records/sent-fields.model.js';
import {
  EVERY_SECONDS,
  UnusableUpstreamError,
  type FieldWords,
  type Upstream,
} from './upstream.model.js';
import { UpstreamSecrets } from './upstream-secrets.js';

/** Field names are short, and so are the words in them. */
const WORD = /^[a-z][a-z0-9_]{0,39}$/i;
/** HTTP Basic can carry these characters as a user name. */
const KEY = /^[\x21-\x39\x3b-\x7e]{1,512}$/;

export interface NewUpstream {
  readonly url: string;
  readonly key: string;
  readonly words: FieldWords;
  readonly every_seconds: number;
}

const DAY_MS = 86_400_000;
const NO_SALE = 'The upstream has no sales yet, so its vendor is unknown. Pass --vendor ID.';

/**
 * Checks new upstreams, and finds the vendor whose sales an upstream has, if the operator does not
 * name the vendor.
 */
@Injectable()
export class UpstreamCandidatesService {
  constructor(
    private readonly secrets: UpstreamSecrets,
    private readonly outgoing: OutgoingHttps,
    private readonly client: UpstreamClientService,
    private readonly accounts: AccountsService,
    private readonly database: Database,
  ) {}

  /**
   * Checks a new upstream and returns the row to store. Its first run is a full run.
   * @throws UnusableUpstreamError if the URL, the key, a word or the interval cannot be used
   */
  of(vendor_id: number, { url, key, words, every_seconds }: NewUpstream): Omit<Upstream, 'id'> {
    const now = new Date();
    const created = dateTimeOf(now);
    const { least, most } = EVERY_SECONDS;
    if (!KEY.test(key)) throw new UnusableUpstreamError('key must be the text of an API key.');
    if (!Object.values(words).every((word: string) => WORD.test(word))) {
      throw new UnusableUpstreamError('names must be words such as service=acme.');
    }
    if (!(every_seconds >= least && every_seconds <= most)) {
      throw new UnusableUpstreamError('every must be 1m to 1d.');
    }
    return {
      vendor_id,
      url: this.usable(url),
      state: 'active',
      every_seconds,
      secret: this.secrets.encrypt(key, vendor_id),
      token: this.secrets.newToken(vendor_id),
      words: JSON.stringify({ service: words.service, processor: words.processor }),
      wanted: 'full',
      run: null,
      run_began: null,
      first_day: null,
      last_day: null,
      next_day: null,
      listed: 0,
      missing: 0,
      last_recent: null,
      last_quarter: null,
      last_full: null,
      seek_run: null,
      last_seek: null,
      payments_after: null,
      last_payments: null,
      payments_seen: 0,
      payments_total: 0,
      payments_round: 0,
      // The first run reads all subscriptions that sales name.
      payments_next: dateTimeOf(new Date(now.getTime() + DAY_MS)),
      next_try: created,
      failures: 0,
      problem: null,
      ...NO_LEASE,
      created,
    };
  }

  /** @returns the URL without a slash at its end, before the paths of the API versions */
  private usable(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : null;
    const problem = this.outgoing.problemOfUrl(url?.href ?? text);
    if (problem !== null) throw new UnusableUpstreamError(`url ${problem}.`);
    if (url?.search !== '') throw new UnusableUpstreamError('url must have no query.');
    return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
  }

  /**
   * Finds the vendor of the upstream's first sale, and adds this user if there is none with that
   * id.
   * @returns the id of the vendor
   * @throws UnusableUpstreamError if the upstream does not show the vendor
   */
  async ensureOwner(wanted: NewUpstream): Promise<number> {
    const owner = await this.ownerOf({ id: 0, ...this.of(0, wanted) });
    await this.database.writeIdempotent(async (session) => {
      const [stored] = await this.accounts.records.locked(session, [owner]);
      if (stored !== undefined) return;
      const content = { ...owner, source_vendor_id: owner.id, admitted: null };
      const added = { content, before: undefined, overruled: null, record_version: null };
      await this.accounts.saveUsers(session, [added]);
    });
    return owner.id;
  }

  private async ownerOf(upstream: Upstream): Promise<UserRecord> {
    const sales = await this.results(upstream, '/v2.0/latest-transactions');
    const [transaction_id] = sales.flatMap((sale) => transactionIdIn(objectOf(sale)) ?? []);
    if (transaction_id === undefined) throw new UnusableUpstreamError(NO_SALE);
    const path = `/v2.1/transaction/details/${pathPart(transaction_id)}`;
    const [detail] = await this.results(upstream, path);
    const sent = new SentFields(detail);
    const fields = new RecordFields({
      id: idIn(sent.present('vendor_id')),
      name: sent.fittedText('vendor_name', NAME_TEXT) ?? '',
      email: sent.email('vendor_email') ?? '',
    });
    const owner = readUser(fields);
    if (!fields.faults.isEmpty) throw new UnusableUpstreamError(NO_SALE);
    return owner;
  }

  private async results(upstream: Upstream, path: string): Promise<readonly unknown[]> {
    try {
      const answer = await this.client.get(upstream, path, new AbortController().signal);
      return answer?.results ?? [];
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new UnusableUpstreamError(`The upstream cannot be read: ${error.message}.`);
    }
  }
}
