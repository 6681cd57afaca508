import { Injectable } from '@nestjs/common';
import { momentOf } from '../../common/time.js';
import { Database, type Session } from '../../database/database.js';
import type { RecordBatch } from '../ledger/ledger.model.js';
import { LinesOfKind } from '../ledger/record-batch.model.js';
import type { ApiApplication, IssuedKey, Principal, StoredKey, User } from './account.model.js';
import { AccountsRepository } from './accounts.repository.js';
import { hashOfApiKey, isWellFormedApiKey, makeApiKey } from './api-key.js';
import { KeyCipher } from './key-cipher.js';
import { UserRecords } from './user.records.js';

/** A command about keys that names something that is not there. */
export class UnknownAccountError extends Error {}

/** Users, their API applications and the keys of those. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly repository: AccountsRepository,
    private readonly cipher: KeyCipher,
  ) {}

  /** @returns null for a key that is malformed, unknown, revoked or expired */
  async principalOf(key: string): Promise<Principal | null> {
    if (!isWellFormedApiKey(key)) return null;
    return this.repository.principalByKeyHash(hashOfApiKey(key), momentOf(new Date()));
  }

  async userById(id: number): Promise<User | null> {
    return this.repository.userById(id);
  }

  userBatch(): RecordBatch {
    return new LinesOfKind(new UserRecords(this.repository));
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.repository.hasAnyUser());
  }

  /**
   * Makes an API application with its key.
   * @param expires a moment in UTC after which the key is refused, or null
   * @throws UnknownAccountError where there is no such user
   */
  async createApplication(
    user_id: number,
    name: string,
    expires: string | null,
  ): Promise<IssuedKey> {
    const key = makeApiKey();
    const created = momentOf(new Date());
    const application = { user_id, name, state: 'active', created, expires } as const;
    const id = await this.database.write(async (session) => {
      if (!(await this.repository.hasUser(session, user_id))) {
        throw new UnknownAccountError(`There is no user ${user_id}.`);
      }
      return this.repository.insertApplication(session, application, this.stored(key));
    });
    return { application: { id, ...application }, key };
  }

  applications(): Promise<ApiApplication[]> {
    return this.repository.applications();
  }

  /** Shuts an application for good; its key is refused from now on. */
  async revokeApplication(id: number): Promise<ApiApplication> {
    return this.database.write(async (session) => {
      const application = await this.knownApplication(session, id);
      await this.repository.setState(session, id, 'revoked');
      return { ...application, state: 'revoked' };
    });
  }

  /**
   * Gives an application a new key.
   * @param overlapSeconds how long the old key goes on working; 0 ends it at once
   */
  async rotateKey(id: number, overlapSeconds: number): Promise<IssuedKey> {
    const key = makeApiKey();
    const now = new Date();
    const application = await this.database.write(async (session) => {
      const found = await this.knownApplication(session, id);
      if (found.state === 'revoked') {
        throw new UnknownAccountError(`Application ${id} is revoked; create a new one.`);
      }
      const oldKeyEnds = momentOf(new Date(now.getTime() + overlapSeconds * 1_000));
      await this.repository.endKeys(session, id, oldKeyEnds);
      await this.repository.insertKey(session, id, this.stored(key), momentOf(now));
      return found;
    });
    return { application, key };
  }

  /** The key of an application in clear, for its owner (decisions: Keys). */
  async keyOf(application_id: number): Promise<string | null> {
    const key = await this.repository.presentKey(application_id);
    return key === null ? null : this.cipher.decrypt(key.encrypted_key, key.key_hash);
  }

  private stored(key: string): StoredKey {
    const key_hash = hashOfApiKey(key);
    return { key_hash, encrypted_key: this.cipher.encrypt(key, key_hash) };
  }

  private async knownApplication(session: Session, id: number): Promise<ApiApplication> {
    const application = await this.repository.lockedApplication(session, id);
    if (application === null) throw new UnknownAccountError(`There is no application ${id}.`);
    return application;
  }
}
