import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnreadableSecretError, type WebhookEndpoint } from '../webhook.model.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

type Secrets = Pick<WebhookEndpoint, 'secret' | 'old_secret'>;

/** Counts the endpoints by outcome. */
export interface RewrapSecretsSummary {
  readonly rewrapped: number;
  /** Endpoints whose secrets are already encrypted under the current secret. */
  readonly current: number;
  readonly unreadable: number;
}

/** Re-encrypts the secrets of endpoints after a change of KEY_ENCRYPTION_SECRET. */
@Injectable()
export class RewrapSecretsService {
  constructor(
    private readonly database: Database,
    private readonly repository: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  async rewrap(keyEncryptionSecret: string): Promise<RewrapSecretsSummary> {
    const old = new WebhookSecrets(Object.assign({}, this.settings, { keyEncryptionSecret }));
    const counts = { rewrapped: 0, current: 0, unreadable: 0 };
    for (const { id } of await this.repository.all()) {
      counts[await this.rewrapOne(id, old)] += 1;
    }
    return counts;
  }

  private rewrapOne(id: number, old: WebhookSecrets): Promise<keyof RewrapSecretsSummary> {
    return this.database.write(async (session) => {
      const endpoint = await this.repository.locked(session, id);
      // An endpoint that was deleted meanwhile no longer has a secret.
      if (endpoint === null || isReadBy(this.secrets, endpoint)) return 'current';
      if (!isReadBy(old, endpoint)) return 'unreadable';
      const { vendor_id } = endpoint;
      const again = (text: string) => this.secrets.encrypt(old.read(text, vendor_id), vendor_id);
      const { secret, old_secret } = endpoint;
      const rewrapped: Secrets = {
        secret: again(secret),
        old_secret: old_secret === null ? null : again(old_secret),
      };
      await this.repository.change(session, id, rewrapped);
      await this.audit.record(session, {
        user_id: OPERATOR,
        application_id: NO_APPLICATION,
        action: 'webhook.rewrap',
        subject: `webhook endpoint ${id} of user ${vendor_id}`,
        before: null,
        after: {},
      });
      return 'rewrapped';
    });
  }
}

function isReadBy(secrets: WebhookSecrets, { vendor_id, secret, old_secret }: WebhookEndpoint) {
  try {
    for (const each of [secret, old_secret ?? secret]) secrets.read(each, vendor_id);
    return true;
  } catch (error) {
    if (error instanceof UnreadableSecretError) return false;
    throw error;
  }
}
