import { Injectable } from '@nestjs/common';
import { DAY_MS, dateTimeOf } from '../../common/time.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { UpstreamsService } from '../../modules/upstreams/registry/upstreams.service.js';
import { WebhooksService } from '../../modules/webhooks/endpoints/webhooks.service.js';
import { APPLICATIONS_PATH, SECURITY_PATH, UPSTREAM_PATH, WEBHOOKS_PATH } from '../paths.js';
import { Panel } from '../ui/facts.view.js';
import { Form } from '../ui/form.view.js';
import { Table, times, type Column } from '../ui/table.view.js';

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

/** Page to return to after something was revoked or removed. */
const NEXT = `${SECURITY_PATH}?done=ended`;
const END: Readonly<Record<RecentThing['kind'], string>> = {
  'API key': 'Revoke',
  'Webhook endpoint': 'Remove',
  Mirror: 'Remove',
};

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
      const path = `${APPLICATIONS_PATH}/${id}`;
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

/**
 * Lists keys, endpoints and mirrors that a new password does not end; shows nothing if there are
 * none.
 */
export function Recent({ things }: { readonly things: readonly RecentThing[] }) {
  if (things.length === 0) return null;
  return (
    <Panel id="recent-title" title="Made in the last 24 hours">
      <p>
        These go on working after a new password and after you sign out everywhere. End what you do
        not recognise.
      </p>
      <Table label="Made in the last 24 hours" isWide columns={COLUMNS} rows={things} />
    </Panel>
  );
}

const COLUMNS: readonly Column<RecentThing>[] = [
  { name: 'Name', cell: ({ name, path }) => <a href={path}>{name}</a> },
  { name: 'What it is', cell: ({ kind }) => kind },
  times('Made', ({ made }) => made, true),
  { name: 'End', cell: (thing) => <End {...thing} /> },
];

function End({ kind, name, end }: RecentThing) {
  const label = `${END[kind]} ${name}`;
  return (
    <Form action={end} label={label} hidden={{ next: NEXT }}>
      <button class="danger" aria-label={label}>
        {END[kind]}
      </button>
    </Form>
  );
}
