import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../../common/time.js';
import { ApiApplicationsService } from '../../../modules/accounts/applications/api-applications.service.js';
import { UpstreamsService } from '../../../modules/upstreams/registry/upstreams.service.js';
import { WebhooksService } from '../../../modules/webhooks/endpoints/webhooks.service.js';
import { UPSTREAM_PATH } from '../../upstreams/upstream.view.js';
import { WEBHOOKS_PATH } from '../../webhooks/webhooks.view.js';

/** A key, an endpoint or a mirror, which continues to work after its creator was signed out. */
export interface RecentThing {
  readonly kind: 'API key' | 'Webhook endpoint' | 'Mirror';
  readonly name: string;
  /** Path of its page. */
  readonly path: string;
  /** In UTC. */
  readonly made: string;
  /** Path of the form that revokes or removes it. */
  readonly end: string;
}

/**
 * Finds keys, endpoints and mirrors that were created in an account within the last 24 hours, on
 * its pages, with its keys or by the operator.
 */
@Injectable()
export class RecentlyMade {
  constructor(
    private readonly applications: ApiApplicationsService,
    private readonly webhooks: WebhooksService,
    private readonly upstreams: UpstreamsService,
  ) {}

  /** Returns keys, then endpoints, then the mirror; the newest of each kind first. */
  async of(user_id: number): Promise<RecentThing[]> {
    const since = dateTimeOf(new Date(Date.now() - DAY_MS));
    const [keys, endpoints, upstream] = await Promise.all([
      this.keysOf(user_id, since),
      this.endpointsOf(user_id),
      this.upstreamOf(user_id),
    ]);
    return [...keys, ...endpoints, ...upstream].filter(({ made }) => made > since);
  }

  private async keysOf(user_id: number, since: string): Promise<RecentThing[]> {
    const found = await this.applications.withKeysSince(user_id, since);
    return found.map(({ id, name, key_created }) => {
      const path = `/account/applications/${id}`;
      return { kind: 'API key', name, path, made: key_created, end: `${path}/revoke` };
    });
  }

  private async endpointsOf(user_id: number): Promise<RecentThing[]> {
    const found = await this.webhooks.list(user_id);
    return found
      .toSorted((one, other) => other.id - one.id)
      .map(({ id, url, created }) => {
        const path = `${WEBHOOKS_PATH}/${id}`;
        return { kind: 'Webhook endpoint', name: url, path, made: created, end: `${path}/remove` };
      });
  }

  private async upstreamOf(user_id: number): Promise<RecentThing[]> {
    const found = await this.upstreams.ofVendor(user_id);
    if (found === null) return [];
    const { url, created } = found;
    const end = `${UPSTREAM_PATH}/remove`;
    return [{ kind: 'Mirror', name: url, path: UPSTREAM_PATH, made: created, end }];
  }
}
