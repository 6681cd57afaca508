import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { UpstreamsRepository } from '../upstreams.repository.js';
import { UpstreamSecrets } from './upstream-secrets.js';

/** Counts the upstreams by outcome. */
export interface RewrapUpstreamsSummary {
  readonly rewrapped: number;
  /** Upstreams whose keys are already encrypted under the current secret. */
  readonly current: number;
  readonly unreadable: number;
}

/** Re-encrypts the keys of upstreams after a change of KEY_ENCRYPTION_SECRET. */
@Injectable()
export class RewrapUpstreamsService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly secrets: UpstreamSecrets,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  async rewrap(keyEncryptionSecret: string): Promise<RewrapUpstreamsSummary> {
    const old = new UpstreamSecrets(Object.assign({}, this.settings, { keyEncryptionSecret }));
    const counts = { rewrapped: 0, current: 0, unreadable: 0 };
    for (const { id } of await this.repository.all()) counts[await this.rewrapOne(id, old)] += 1;
    return counts;
  }

  private rewrapOne(id: number, old: UpstreamSecrets): Promise<keyof RewrapUpstreamsSummary> {
    return this.database.write(async (session) => {
      const upstream = await this.repository.locked(session, id);
      if (upstream === null || this.secrets.reads(upstream)) return 'current';
      if (!old.reads(upstream)) return 'unreadable';
      const { vendor_id } = upstream;
      await this.repository.change(session, id, {
        secret: this.secrets.encrypt(old.keyOf(upstream), vendor_id),
        token: this.secrets.encrypt(old.tokenOf(upstream), vendor_id),
      });
      await this.audit.record(session, {
        user_id: OPERATOR,
        application_id: NO_APPLICATION,
        action: 'upstream.rewrap',
        subject: `upstream ${id} of user ${vendor_id}`,
        before: null,
        after: {},
      });
      return 'rewrapped';
    });
  }
}
