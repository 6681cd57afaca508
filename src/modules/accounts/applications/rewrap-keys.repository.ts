import { Injectable } from '@nestjs/common';
import { MoreThan, Repository } from 'typeorm';
import type { Session } from '../../../database/database.js';
import { InjectRepository } from '../../../database/entities/inject-repository.js';
import type { StoredKey } from '../account.model.js';
import { ApiKeyEntity, type ApiKeyRow } from './api-application.entity.js';

/** Runs all SQL that re-encrypts keys. */
@Injectable()
export class RewrapKeysRepository {
  constructor(@InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyRow>) {}

  /** Returns the next keys after a hash, ordered by hash. */
  keysAfter(key_hash: string, most: number): Promise<ApiKeyRow[]> {
    return this.keys.find({
      where: { key_hash: MoreThan(key_hash) },
      order: { key_hash: 'ASC' },
      take: most,
    });
  }

  /** Replaces a key's cipher text, unless it has changed since it was read. */
  async replace(
    session: Session,
    { key_hash, encrypted_key }: StoredKey,
    by: string,
  ): Promise<boolean> {
    const keys = session.manager.withRepository(this.keys);
    const { affected } = await keys.update({ key_hash, encrypted_key }, { encrypted_key: by });
    return affected !== 0;
  }
}
