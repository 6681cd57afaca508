import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../database/database.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import { ErasuresFile } from '../erasures-file/erasures-file.js';
import { PersonCipher } from './person-cipher.js';
import { TombstonesRepository } from './tombstones.repository.js';

/** The summary counts the only key by result: one field is 1, or none before the first erasure. */
export interface RewrapPersonKeySummary {
  readonly rewrapped: number;
  readonly current: number;
  readonly unreadable: number;
}

const NONE = { rewrapped: 0, current: 0, unreadable: 0 };

/** Re-encrypts the key of the hashes of customers after a change of KEY_ENCRYPTION_SECRET. */
@Injectable()
export class RewrapPersonKeyService {
  constructor(
    private readonly database: Database,
    private readonly repository: TombstonesRepository,
    private readonly cipher: PersonCipher,
    private readonly file: ErasuresFile,
    private readonly settings: Settings,
    private readonly audit: AuditService,
  ) {}

  /**
   * Re-encrypts the key, first in the file of erasures, because a restored database uses the key
   * from there.
   */
  async rewrap(keyEncryptionSecret: string): Promise<RewrapPersonKeySummary> {
    const old = new PersonCipher(Object.assign({}, this.settings, { keyEncryptionSecret }));
    const stored = await this.repository.secret(this.database);
    if (stored === null) return NONE;
    if (this.cipher.reads(stored)) return { ...NONE, current: 1 };
    if (!old.reads(stored)) return { ...NONE, unreadable: 1 };
    const secret = this.cipher.encrypt(old.decrypt(stored));
    await this.file.append([{ secret }]);
    await this.database.write(async (session) => {
      await this.repository.replaceSecret(session, secret);
      await this.audit.record(session, {
        user_id: OPERATOR,
        application_id: NO_APPLICATION,
        action: 'person_key.rewrap',
        subject: 'key of erased people',
        before: null,
        after: {},
      });
    });
    return { ...NONE, rewrapped: 1 };
  }
}
