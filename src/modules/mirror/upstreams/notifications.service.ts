import { Injectable } from '@nestjs/common';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import { Database } from '../../../platform/database/database.js';
import { MAX_NOTIFIED, UnknownUpstreamError, type Upstream } from './upstream.model.js';
import { UpstreamsRepository } from './upstreams.repository.js';
import { UpstreamSecrets } from './upstream-secrets.js';

/** The fields in which notifications name the sale are read in this order. */
const ID_FIELDS = ['paykey', 'transaction_id', 'ctranspaymentkey', 'ctransreceipt'] as const;

/**
 * Handles notifications of upstreams. Only the id of the sale is used from a notification; the sale
 * is then read from the upstream. See docs/mirror.md#notifications.
 */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly secrets: UpstreamSecrets,
  ) {}

  /**
   * Schedules a read of the sale that a notification names, if it names one. Nothing is written if
   * the read waits already, or if MAX_NOTIFIED reads wait: the next run reads the sale anyway.
   * @param fields the fields of the notification, unchecked
   * @throws UnknownUpstreamError if there is no such upstream, or the token is wrong
   */
  async take(id: number, token: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    const upstream = await this.upstreamOf(id, token);
    const record_key = ID_FIELDS.map((name) => textOf(fields[name])).find((text) =>
      TRANSACTION_ID.test(text),
    );
    if (record_key !== undefined) await this.add(upstream, record_key);
  }

  /** @throws UnknownUpstreamError if there is no such upstream, or the token is wrong */
  async check(id: number, token: string): Promise<void> {
    await this.upstreamOf(id, token);
  }

  private async upstreamOf(id: number, token: string): Promise<Upstream> {
    const upstream = await this.repository.find(id);
    if (upstream === null || !this.secrets.isToken(upstream, token)) {
      throw new UnknownUpstreamError('There is no such upstream.');
    }
    return upstream;
  }

  private async add({ id }: Upstream, record_key: string): Promise<void> {
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
