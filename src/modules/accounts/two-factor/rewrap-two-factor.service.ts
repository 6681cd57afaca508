import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { UnreadableKeyError } from '../account.model.js';
import type { TwoFactorRow } from './two-factor.entity.js';
import { TwoFactorRepository } from './two-factor.repository.js';
import { TwoFactorSecrets } from './two-factor-secrets.js';

const AT_ONCE = 500;

/** The summary counts secrets by result. */
export interface RewrapTwoFactorSummary {
  readonly rewrapped: number;
  /**
   * Secrets that were already encrypted with the current secret, or changed by another process
   * meanwhile.
   */
  readonly current: number;
  readonly unreadable: number;
}

/** Re-encrypts the secrets of authenticator apps after a change of KEY_ENCRYPTION_SECRET. */
@Injectable()
export class RewrapTwoFactorService {
  constructor(
    private readonly database: Database,
    private readonly repository: TwoFactorRepository,
    private readonly secrets: TwoFactorSecrets,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  async rewrap(keyEncryptionSecret: string): Promise<RewrapTwoFactorSummary> {
    const old = new TwoFactorSecrets(Object.assign({}, this.settings, { keyEncryptionSecret }));
    const counts = { rewrapped: 0, current: 0, unreadable: 0 };
    let rows = await this.repository.after(0, AT_ONCE);
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      for (const row of rows) counts[await this.rewrapOne(row, old)] += 1;
      rows = await this.repository.after(last.user_id, AT_ONCE);
    }
    return counts;
  }

  private async rewrapOne(
    row: TwoFactorRow,
    old: TwoFactorSecrets,
  ): Promise<keyof RewrapTwoFactorSummary> {
    if (secretIn(row, this.secrets) !== null) return 'current';
    const secret = secretIn(row, old);
    if (secret === null) return 'unreadable';
    const by = this.secrets.encrypt(secret, row.user_id);
    return this.database.write(async (session) => {
      if (!(await this.repository.rewrap(session, row, by))) return 'current';
      await this.audit.record(session, {
        user_id: OPERATOR,
        application_id: NO_APPLICATION,
        action: 'two_factor.rewrap',
        subject: `user ${row.user_id}`,
        before: null,
        after: {},
      });
      return 'rewrapped';
    });
  }
}

function secretIn(
  { encrypted_secret, user_id }: TwoFactorRow,
  secrets: TwoFactorSecrets,
): string | null {
  try {
    return secrets.decrypt(encrypted_secret, user_id);
  } catch (error) {
    if (error instanceof UnreadableKeyError) return null;
    throw error;
  }
}
