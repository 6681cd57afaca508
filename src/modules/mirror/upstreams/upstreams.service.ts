import { Injectable } from '@nestjs/common';
import { NAME_TEXT } from '../../../ledger/files/text-rule.js';
import { RecordFields } from '../../../ledger/records/record-fields.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import { readUser, type UserRecord } from '../../../ledger/records/user.record.js';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import { UNKNOWN_HOST } from '../../../platform/outgoing/outgoing-request.js';
import { OutgoingHttps } from '../../../platform/outgoing/outgoing-https.js';
import type { Author } from '../../../platform/values/author.js';
import { DAY_MS, dateTimeIn } from '../../../platform/values/time.js';
import { AccountsRepository } from '../../accounts/index.js';
import { AuditService } from '../../audit/index.js';
import { pathPart, UpstreamError } from '../client/upstream-answer.js';
import { UpstreamClientService, type CalledUpstream } from '../client/upstream-client.service.js';
import { objectOf, idIn, SentFields, transactionIdIn } from '../records/sent-fields.model.js';
import {
  EVERY_SECONDS,
  MAX_NOTIFIED,
  shownUpstream,
  UnknownUpstreamError,
  UnreachableUpstreamError,
  UnusableUpstreamError,
  type FieldWords,
  type RunKind,
  type ShownUpstream,
  type Upstream,
  type UpstreamState,
} from './upstream.model.js';
import { UpstreamSecrets } from './upstream-secrets.js';
import { UpstreamsRepository } from './upstreams.repository.js';

/** Field names are short, and so are the words in them. */
const WORD = /^[a-z][a-z0-9_]{0,39}$/i;
/** HTTP Basic can carry these characters as a user name. */
const KEY = /^[\x21-\x39\x3b-\x7e]{1,512}$/;
/** Path of the newest sales, which every version of the API has. */
const LATEST = '/v2.0/latest-transactions';
const NO_SALE = 'The upstream has no sales yet, so its vendor is unknown. Pass --vendor ID.';

export interface NewUpstream {
  readonly url: string;
  readonly key: string;
  readonly words: FieldWords;
  readonly every_seconds: number;
}

/** The fields in which notifications name the sale are read in this order. */
const ID_FIELDS = ['paykey', 'transaction_id', 'ctranspaymentkey', 'ctransreceipt'] as const;

/**
 * Returns the upstreams of vendors with the progress of their reading, adds and changes them, and
 * handles their notifications. The audit log records each change, without keys. Only the id of the
 * sale is used from a notification; the sale is then read from the upstream. See
 * docs/mirror.md#notifications.
 */
@Injectable()
export class UpstreamsService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly secrets: UpstreamSecrets,
    private readonly outgoing: OutgoingHttps,
    private readonly client: UpstreamClientService,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditService,
  ) {}

  /** Returns the upstreams of all vendors. */
  async all(): Promise<ShownUpstream[]> {
    const all = await this.repository.all();
    return Promise.all(all.map((upstream) => this.shown(upstream)));
  }

  /** Returns the upstream of a vendor, or null if there is none. */
  async ofVendor(vendor_id: number): Promise<ShownUpstream | null> {
    const found = await this.repository.ofVendor(vendor_id);
    return found === null ? null : this.shown(found);
  }

  /** @throws UnknownUpstreamError if there is no such upstream */
  async get(id: number): Promise<ShownUpstream> {
    const found = await this.repository.find(id);
    if (found === null) throw new UnknownUpstreamError(`There is no upstream ${id}.`);
    return this.shown(found);
  }

  /**
   * Returns the path for notifications of the vendor's upstream. Anyone who knows it can have sales
   * read again.
   * @returns null if the vendor has no upstream
   * @throws UnusableUpstreamError if KEY_ENCRYPTION_SECRET has changed
   */
  async notifyPathOf(vendor_id: number): Promise<string | null> {
    const found = await this.repository.ofVendor(vendor_id);
    if (found === null) return null;
    return `/ledger/v1/upstreams/${found.id}/notify/${this.secrets.tokenOf(found)}`;
  }

  /**
   * Returns true if a first full run has not ended yet.
   * @param vendor_id null for any vendor
   */
  hasFirstRun(reader: EntityReader, vendor_id: number | null): Promise<boolean> {
    return this.repository.hasFirstRun(reader, vendor_id);
  }

  /** Removes texts about a vendor's upstream that may quote a record. */
  forgetPersonalData(session: Session, vendor_id: number): Promise<void> {
    return this.repository.forgetTexts(session, vendor_id);
  }

  /**
   * Schedules a read of the sale that a notification names, if it names one. Nothing is written if
   * the read waits already, or if MAX_NOTIFIED reads wait: the next run reads the sale anyway.
   * @param fields the fields of the notification, unchecked
   * @throws UnknownUpstreamError if there is no such upstream, or the token is wrong
   */
  async takeNotification(
    id: number,
    token: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.checkToken(id, token);
    const record_key = ID_FIELDS.map((name) => textOf(fields[name])).find((text) =>
      TRANSACTION_ID.test(text),
    );
    if (record_key !== undefined) await this.readNotified(id, record_key);
  }

  /** @throws UnknownUpstreamError if there is no such upstream, or the token is wrong */
  async checkToken(id: number, token: string): Promise<void> {
    const upstream = await this.repository.find(id);
    if (upstream === null || !this.secrets.isToken(upstream, token)) {
      throw new UnknownUpstreamError('There is no such upstream.');
    }
  }

  /**
   * Adds the upstream of a vendor, who can have only one. Reading begins at once.
   * @throws UnknownAccountError if there is no such vendor
   * @throws UnusableUpstreamError if the upstream cannot be used, or the vendor has one already
   */
  async add(vendor_id: number, wanted: NewUpstream, by: Author): Promise<ShownUpstream> {
    const content = this.rowOf(vendor_id, wanted);
    return this.database.write(async (session) => {
      await this.accounts.lockKnownUser(session, vendor_id);
      if ((await this.repository.ofVendor(vendor_id)) !== null) {
        throw new UnusableUpstreamError(`User ${vendor_id} has an upstream already.`);
      }
      const id = await this.repository.add(session, content);
      const { url, state } = content;
      await this.record(session, by, 'upstream.add', { id, vendor_id }, null, { url, state });
      return shownUpstream(await this.lockedOf(session, id), 0, []);
    });
  }

  /**
   * Sends one request to a new upstream, to find a wrong URL or key before it is added.
   * @throws UnusableUpstreamError if the upstream cannot be used
   * @throws UnreachableUpstreamError if it does not answer, or rejects the key
   */
  async check(vendor_id: number, wanted: NewUpstream): Promise<void> {
    // A negative id is no upstream's, so that the pace of the calls is this vendor's alone.
    const upstream = { id: -vendor_id, ...this.rowOf(vendor_id, wanted) };
    try {
      if (await this.client.answers(upstream, LATEST)) return;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      if (error.fault === 'key') {
        throw new UnreachableUpstreamError('key', 'The other service does not accept this key.');
      }
      const isUnknown = error.message === UNKNOWN_HOST;
      const says = isUnknown
        ? 'This address does not exist (DNS).'
        : `The other service cannot be read: ${error.message}.`;
      throw new UnreachableUpstreamError('url', says);
    }
    const says = 'This address has no such API. Leave out the version, such as /v3.0.';
    throw new UnreachableUpstreamError('url', says);
  }

  /**
   * Finds the vendor of the upstream's first sale, and adds this user if there is none with that
   * id.
   * @returns the id of the vendor
   * @throws UnusableUpstreamError if the upstream does not show the vendor
   */
  async ensureOwner(wanted: NewUpstream): Promise<number> {
    const owner = await this.ownerOf({ id: 0, ...this.rowOf(0, wanted) });
    await this.database.writeIdempotent(async (session) => {
      const [stored] = await this.accounts.records.locked(session, [owner]);
      if (stored !== undefined) return;
      const content = { ...owner, source_vendor_id: owner.id, admitted: null };
      const added = { content, before: undefined, overruled: null, record_version: null };
      await this.accounts.saveUsers(session, [added]);
    });
    return owner.id;
  }

  /** Pauses or resumes reading. A reading in progress stops within seconds after a pause. */
  setState(id: number, state: UpstreamState, by: Author): Promise<ShownUpstream> {
    return this.change(id, by, `upstream.${state}`, { state, ...atOnce() });
  }

  /** Requests a run, which begins at once. A full run that was requested before stays requested. */
  run(id: number, kind: RunKind, by: Author): Promise<ShownUpstream> {
    return this.change(id, by, 'upstream.run', { wanted: kind, ...atOnce() });
  }

  /** Removes an upstream. The records that were read stay. */
  remove(id: number, by: Author): Promise<ShownUpstream> {
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, id);
      await this.repository.remove(session, id);
      const { url, state } = before;
      await this.record(session, by, 'upstream.remove', before, { url, state }, null);
      return shownUpstream(before, 0, []);
    });
  }

  /**
   * Checks a new upstream and returns the row to store. Its first run is a full run.
   * @throws UnusableUpstreamError if the URL, the key, a word or the interval cannot be used
   */
  private rowOf(vendor_id: number, { url, key, words, every_seconds }: NewUpstream) {
    const { least, most } = EVERY_SECONDS;
    if (!KEY.test(key)) throw new UnusableUpstreamError('key must be the text of an API key.');
    if (!Object.values(words).every((word: string) => WORD.test(word))) {
      throw new UnusableUpstreamError('names must be words such as service=acme.');
    }
    if (!(every_seconds >= least && every_seconds <= most)) {
      throw new UnusableUpstreamError('every must be 1m to 1d.');
    }
    const created = dateTimeIn(0);
    return {
      vendor_id,
      url: this.usable(url),
      state: 'active',
      every_seconds,
      secret: this.secrets.encrypt(key, vendor_id),
      token: this.secrets.newToken(vendor_id),
      words: JSON.stringify({ service: words.service, processor: words.processor }),
      wanted: 'full',
      listed: 0,
      missing: 0,
      payments_seen: 0,
      payments_total: 0,
      payments_round: 0,
      // The first run reads all subscriptions that sales name.
      payments_next: dateTimeIn(DAY_MS),
      next_try: created,
      failures: 0,
      created,
    } as const;
  }

  /** @returns the URL without a slash at its end, before the paths of the API versions */
  private usable(text: string): string {
    const url = URL.canParse(text) ? new URL(text) : null;
    const problem = this.outgoing.problemOfUrl(url?.href ?? text);
    if (problem !== null) throw new UnusableUpstreamError(`url ${problem}.`);
    if (url?.search !== '') throw new UnusableUpstreamError('url must have no query.');
    return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
  }

  private async ownerOf(upstream: CalledUpstream): Promise<UserRecord> {
    const sales = await this.results(upstream, LATEST);
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

  private async results(upstream: CalledUpstream, path: string): Promise<readonly unknown[]> {
    try {
      const answer = await this.client.get(upstream, path, new AbortController().signal);
      return answer?.results ?? [];
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new UnusableUpstreamError(`The upstream cannot be read: ${error.message}.`);
    }
  }

  private async shown(upstream: Upstream): Promise<ShownUpstream> {
    const waiting = await this.repository.waiting(upstream.id);
    return shownUpstream(upstream, waiting, await this.repository.problemKinds(upstream.id));
  }

  private async readNotified(id: number, record_key: string): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const upstream = await this.repository.locked(session, id);
      const waiting = await this.repository.waitingOfKinds(session, id, ['notified', 'sought']);
      if (upstream === null || waiting >= MAX_NOTIFIED) return;
      await this.repository.readSoon(session, upstream, { kind: 'notified', record_key });
    });
  }

  private change(id: number, by: Author, action: string, changes: Partial<Upstream>) {
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, id);
      const keepsFull = before.wanted === 'full' && changes.wanted !== undefined;
      const after = { ...before, ...changes, ...(keepsFull ? { wanted: before.wanted } : {}) };
      await this.repository.change(session, id, { ...changes, wanted: after.wanted });
      await this.record(session, by, action, before, stateOf(before), stateOf(after));
      return shownUpstream(after, 0, await this.repository.problemKinds(id));
    });
  }

  private async lockedOf(session: Session, id: number): Promise<Upstream> {
    const found = await this.repository.locked(session, id);
    if (found === null) throw new UnknownUpstreamError(`There is no upstream ${id}.`);
    return found;
  }

  private record(
    session: Session,
    { user_id, application_id }: Author,
    action: string,
    { id, vendor_id }: Pick<Upstream, 'id' | 'vendor_id'>,
    before: object | null,
    after: object | null,
  ): Promise<void> {
    const subject = `upstream ${id} of user ${vendor_id}`;
    const author = { user_id, application_id, account_id: vendor_id };
    return this.audit.record(session, { ...author, action, subject, before, after: after ?? {} });
  }
}

/** Returns the fields of an upstream that the audit log records. */
function stateOf({ url, state, wanted }: Pick<Upstream, 'url' | 'state' | 'wanted'>) {
  return { url, state, wanted };
}

/** Makes an upstream due now, without earlier failures. */
function atOnce(): Partial<Upstream> {
  return { failures: 0, next_try: dateTimeIn(0) };
}

/** Returns an id as text, because it may be sent as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
}
