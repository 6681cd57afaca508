import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../../database/database.js';
import type { StoredKey } from '../account.model.js';

export interface OwnedKey extends StoredKey {
  readonly application_id: number;
}

/** All SQL that re-encrypts keys. */
@Injectable()
export class RewrapKeysRepository {
  constructor(private readonly database: Database) {}

  /** The keys that follow a hash, in the order of their hashes. */
  keysAfter(key_hash: string, most: number): Promise<OwnedKey[]> {
    return this.database.select<OwnedKey>(
      `SELECT key_hash, application_id, encrypted_key FROM api_keys
       WHERE key_hash > ? ORDER BY key_hash LIMIT ?`,
      [key_hash, most],
    );
  }

  /** Changes nothing where somebody else did so first. @returns true where it was changed */
  async replace(session: Session, { key_hash, encrypted_key }: StoredKey, by: string) {
    const changed = await session.run(
      'UPDATE api_keys SET encrypted_key = ? WHERE key_hash = ? AND encrypted_key = ?',
      [by, key_hash, encrypted_key],
    );
    return changed > 0;
  }
}
