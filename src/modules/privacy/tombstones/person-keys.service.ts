import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ErasuresFile } from './erasures-file.js';
import { UnreadablePersonKeyError } from './erased-person.model.js';
import { PersonCipher } from './person-cipher.js';
import { PersonHashes } from './person-hashes.js';
import { TombstonesRepository } from './tombstones.repository.js';

const KEY_BYTES = 32;

/**
 * Manages the key of the hashes of customers. A database has one, which the first erasure creates.
 */
@Injectable()
export class PersonKeysService {
  constructor(
    private readonly database: Database,
    private readonly repository: TombstonesRepository,
    private readonly cipher: PersonCipher,
    private readonly file: ErasuresFile,
  ) {}

  /**
   * Creates the key if there is none. A database restored to a state before the first erasure uses
   * the key from the file of erasures, so that its hashes match the file.
   * @param others encrypted keys from other files of erasures
   * @throws UnreadablePersonKeyError, UnusableErasuresError
   */
  async ensure(others: readonly string[] = []): Promise<PersonHashes> {
    const secret = (await this.repository.secret(this.database)) ?? (await this.add(others));
    return new PersonHashes(this.cipher.decryptKey(secret));
  }

  /**
   * Returns true if a file with these encrypted keys belongs to this database, which has the same
   * key. A key that KEY_ENCRYPTION_SECRET does not decrypt is accepted, because it was encrypted
   * before the secret changed.
   */
  async isOwn(secrets: readonly string[]): Promise<boolean> {
    const secret = await this.repository.secret(this.database);
    const readable = secrets.filter((each) => this.cipher.reads(each));
    if (secret === null || readable.length === 0) return true;
    const key = this.cipher.decryptKey(secret);
    return readable.some((each) => this.cipher.decryptKey(each).equals(key));
  }

  private async add(others: readonly string[]): Promise<string> {
    const secrets: string[] = [];
    for await (const part of this.file.parts(0)) secrets.push(...part.secrets);
    secrets.push(...others);
    const known = secrets.findLast((each) => this.cipher.reads(each));
    if (known === undefined && secrets.length > 0) throw new UnreadablePersonKeyError();
    const wanted = known ?? this.cipher.encryptKey(randomBytes(KEY_BYTES));
    return this.database.write(async (session) => {
      // Another process may have just added a key.
      const found = await this.repository.secret(session);
      if (found !== null) return found;
      await this.repository.addSecret(session, wanted);
      return wanted;
    });
  }
}
