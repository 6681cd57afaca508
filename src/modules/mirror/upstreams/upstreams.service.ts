import { Injectable } from '@nestjs/common';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import {
  MAX_NOTIFIED,
  shownUpstream,
  UnknownUpstreamError,
  type ShownUpstream,
  type Upstream,
} from './upstream.model.js';
import { UpstreamsRepository } from './upstreams.repository.js';
import { UpstreamSecrets } from './upstream-secrets.js';

/** The fields in which notifications name the sale are read in this order. */
const ID_FIELDS = ['paykey', 'transaction_id', 'ctranspaymentkey', 'ctransreceipt'] as const;

/**
 * Returns the upstreams of vendors with the progress of their reading, and handles their
 * notifications. Only the id of the sale is used from a notification; the sale is then read from
 * the upstream. See docs/mirror.md#notifications.
 */
@Injectable()
export class UpstreamsService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly secrets: UpstreamSecrets,
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

  private async shown(upstream: Upstream): Promise<ShownUpstream> {
    const waiting = await this.repository.waiting(upstream.id);
    return shownUpstream(upstream, waiting, await this.repository.problemKinds(upstream.id));
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

  private async readNotified(id: number, record_key: string): Promise<void> {
    await this.database.writeIdempotent(async (session) => {
      const upstream = await this.repository.locked(session, id);
      const waiting = await this.repository.waitingOfKinds(session, id, ['notified', 'sought']);
      if (upstream === null || waiting >= MAX_NOTIFIED) return;
      await this.repository.readSoon(session, upstream, { kind: 'notified', record_key });
    });
  }
}

/** Returns an id as text, because it may be sent as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
}
