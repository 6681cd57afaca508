import { Injectable } from '@nestjs/common';
import { IsNull, LessThanOrEqual, MoreThan, Not, Or, Repository } from 'typeorm';
import type { Session } from '../../platform/database/database.js';
import { InjectRepository } from '../../platform/database/entities/inject-repository.js';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { KEPT_DELIVERIES, type WebhookDelivery, type WebhookEndpoint } from './webhook.model.js';

/** Describes an endpoint with changes to send now. */
export type DueEndpoint = Pick<WebhookEndpoint, 'id' | 'vendor_id' | 'failures' | 'max_bytes'>;

/** Runs all SQL on webhooks. */
@Injectable()
export class WebhooksRepository {
  constructor(
    @InjectRepository(WebhookEndpointEntity)
    private readonly endpoints: Repository<WebhookEndpoint>,
    @InjectRepository(WebhookDeliveryEntity)
    private readonly deliveries: Repository<WebhookDelivery>,
  ) {}

  /** Returns the endpoints of a vendor, or those of all vendors. */
  list(vendor_id?: number): Promise<WebhookEndpoint[]> {
    const where = vendor_id === undefined ? {} : { vendor_id };
    return this.endpoints.find({ where, order: { id: 'ASC' } });
  }

  endpointOf(vendor_id: number, id: number): Promise<WebhookEndpoint | null> {
    return this.endpoints.findOne({ where: { id, vendor_id } });
  }

  /** @returns null if there is no such endpoint */
  async ownerOf(id: number): Promise<number | null> {
    return (await this.endpoints.findOne({ where: { id } }))?.vendor_id ?? null;
  }

  /** Returns the last deliveries of an endpoint, newest first. */
  deliveriesOf(endpoint_id: number, count = KEPT_DELIVERIES): Promise<WebhookDelivery[]> {
    return this.deliveries.find({
      where: { endpoint_id },
      order: { number: 'DESC' },
      take: count,
    });
  }

  /** @returns null if nothing was sent yet, or the delivery is no longer kept */
  lastDelivery({ id, number }: Pick<WebhookEndpoint, 'id' | 'number'>, session?: Session) {
    const deliveries = session?.manager.withRepository(this.deliveries) ?? this.deliveries;
    return deliveries.findOne({ where: { endpoint_id: id, number } });
  }

  countOf(session: Session, vendor_id: number): Promise<number> {
    return session.manager.withRepository(this.endpoints).count({ where: { vendor_id } });
  }

  /** @returns the id of the new endpoint */
  async add(session: Session, endpoint: Omit<WebhookEndpoint, 'id'>): Promise<number> {
    const added = await session.manager.withRepository(this.endpoints).insert({ ...endpoint });
    return Number(added.identifiers[0]?.id);
  }

  /** Reads an endpoint and locks it until the session ends. */
  async locked(session: Session, id: number): Promise<WebhookEndpoint | null> {
    const endpoints = session.manager.withRepository(this.endpoints);
    const [found] = await endpoints.find({ where: { id }, ...session.dialect.locked });
    return found ?? null;
  }

  async change(session: Session, id: number, changes: Partial<WebhookEndpoint>): Promise<void> {
    await session.manager.withRepository(this.endpoints).update({ id }, changes);
  }

  /** Removes an endpoint with its deliveries. */
  async remove(session: Session, id: number): Promise<void> {
    await session.manager.withRepository(this.deliveries).delete({ endpoint_id: id });
    await session.manager.withRepository(this.endpoints).delete({ id });
  }

  /** Adds a delivery and removes the oldest ones beyond the number that is kept. */
  async addDelivery(session: Session, delivery: WebhookDelivery): Promise<void> {
    const { endpoint_id, number } = delivery;
    const deliveries = session.manager.withRepository(this.deliveries);
    await deliveries.insert({ ...delivery });
    await deliveries.delete({ endpoint_id, number: LessThanOrEqual(number - KEPT_DELIVERIES) });
  }

  async noteSkip(session: Session, { endpoint_id, number }: WebhookDelivery, skipped: string) {
    const deliveries = session.manager.withRepository(this.deliveries);
    await deliveries.update({ endpoint_id, number }, { skipped });
  }

  /**
   * Removes the stored answers of a vendor's receivers. A process that sends now loses its lease,
   * so that the answer is not stored: the delivery is sent again when the lease has ended, with the
   * current data.
   */
  async forgetAnswers(session: Session, vendor_id: number): Promise<void> {
    const endpoints = session.manager.withRepository(this.endpoints);
    await endpoints.update({ vendor_id, claim: Not(IsNull()) }, { claim: 'forgotten' });
    const isOfVendor =
      'endpoint_id IN (SELECT id FROM webhook_endpoints WHERE vendor_id = :vendor_id)';
    const deliveries = session.manager.withRepository(this.deliveries).createQueryBuilder();
    await deliveries.update({ answer: null }).where(isOfVendor, { vendor_id }).execute();
  }

  /**
   * Returns the endpoints with changes to send, those that have waited longest first.
   * @param now in UTC
   * @param health result of the last delivery
   */
  due(now: string, health: 'healthy' | 'failing', limit: number): Promise<DueEndpoint[]> {
    return this.endpoints
      .createQueryBuilder('e')
      .select(['e.id', 'e.vendor_id', 'e.failures', 'e.max_bytes'])
      .innerJoin(
        'ledger_revisions',
        'r',
        'r.vendor_id = e.vendor_id AND r.last_sequence > e.position',
      )
      .innerJoin('users', 'u', "u.id = e.vendor_id AND u.status = 'active'")
      .where({
        state: 'active',
        failures: health === 'healthy' ? 0 : MoreThan(0),
        next_try: LessThanOrEqual(now),
        claim_ends: Or(IsNull(), LessThanOrEqual(now)),
      })
      .orderBy('e.next_try')
      .limit(limit)
      .getMany();
  }
}
