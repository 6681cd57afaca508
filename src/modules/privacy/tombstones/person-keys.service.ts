import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { erasedAddress } from '../../../ledger/records/personal-data.js';
import { Database } from '../../../platform/database/database.js';
import { spelledAlike } from '../../../platform/database/entities/spellings.js';
import { SecretStore, type StoredRow } from '../../../platform/secrets/secret-store.js';
import { UnreadablePersonKeyError } from './erased-person.model.js';
import { ErasuresFile } from './erasures-file.js';
import { TombstonesRepository } from './tombstones.repository.js';

const CONTEXT = 'person key';
const ENCODING = 'base64url';

/** Encrypts the key of the hashes of customers. A database has one. */
@Injectable()
export class PersonCipher extends SecretStore {
  constructor(
    settings: Settings,
    private readonly file: ErasuresFile,
  ) {
    super(settings, {
      position: 5,
      title: 'Key of erased people',
      purpose: 'vendor-reporting-api people',
      table: 'person_keys',
      key: 'id',
      columns: ['secret'],
      contextOf: () => CONTEXT,
      audited: () => [{ action: 'person_key.rewrap', subject: 'key of erased people', after: {} }],
      unreadable: () => new UnreadablePersonKeyError(),
    });
  }

  encryptKey(key: Buffer): string {
    return this.encrypt(key.toString(ENCODING), CONTEXT);
  }

  /** @throws UnreadablePersonKeyError if KEY_ENCRYPTION_SECRET or the text has changed */
  decryptKey(secret: string): Buffer {
    return Buffer.from(this.decrypt(secret, CONTEXT), ENCODING);
  }

  reads(secret: string): boolean {
    try {
      return this.decryptKey(secret).length > 0;
    } catch (error) {
      if (error instanceof UnreadablePersonKeyError) return false;
      throw error;
    }
  }

  /**
   * Adds the key to the file of erasures before the database has it, because a restored database
   * uses the key from there.
   */
  override beforeRewrap(changes: readonly StoredRow[]): Promise<void> {
    return this.file.append(changes.map(({ secret }) => ({ secret: String(secret) })));
  }
}

/**
 * Computes keyed hashes of customers. A customer is an e-mail in any spelling (`spelledAlike`).
 * Without the key, nobody can try e-mails against a hash. Hashes for different purposes cannot be
 * compared.
 */
export class PersonHashes {
  constructor(private readonly key: Buffer) {}

  /** Returns the hash that identifies the customer in a tombstone, in hexadecimal. */
  personOf(email: string): string {
    return this.hash(`person ${spelledAlike(email)}`);
  }

  /**
   * Returns the address that replaces the customer's e-mails at a vendor. It is the same for all
   * spellings and differs between vendors.
   */
  addressAt(vendor_id: number, email: string): string {
    return erasedAddress(this.hash(`address ${vendor_id} ${spelledAlike(email)}`));
  }

  private hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}

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
