import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { ErasuresFile, type Erasures } from '../erasures-file/erasures-file.js';
import { ForeignErasuresError, UnreadablePersonKeyError } from './erased-person.model.js';
import { PersonCipher } from './person-cipher.js';
import { PersonHashes } from './person-hashes.js';
import { TombstonesRepository } from './tombstones.repository.js';

const KEY_BYTES = 32;

/** The key of the hashes of people: one for the database, made at the first erasure. */
@Injectable()
export class PersonKeysService {
  constructor(
    private readonly database: Database,
    private readonly repository: TombstonesRepository,
    private readonly cipher: PersonCipher,
    private readonly file: ErasuresFile,
  ) {}

  /**
   * Makes the key if there is none yet. A database that was restored from before the first erasure takes the
   * key of the file of erasures, so that its hashes are those of the file.
   * @param erasures a file of erasures
   * @throws UnreadablePersonKeyError, ForeignErasuresError, UnusableErasuresError
   */
  async ensure(erasures?: Erasures): Promise<PersonHashes> {
    const { secrets } = erasures ?? (await this.file.read());
    const secret = (await this.repository.secret(this.database)) ?? (await this.add(secrets));
    const key = this.cipher.decrypt(secret);
    const own = await this.file.read();
    if (!(await this.isOwn(own))) throw new ForeignErasuresError();
    if (!own.secrets.includes(secret)) await this.file.append([{ secret }]);
    return new PersonHashes(key);
  }

  /**
   * Whether a file is of this database: its key is the same. One that KEY_ENCRYPTION_SECRET no longer
   * decrypts is believed, since it was encrypted before the secret changed.
   */
  async isOwn({ secrets }: Erasures): Promise<boolean> {
    const secret = await this.repository.secret(this.database);
    const readable = secrets.filter((each) => this.cipher.reads(each));
    if (secret === null || readable.length === 0) return true;
    const key = this.cipher.decrypt(secret);
    return readable.some((each) => this.cipher.decrypt(each).equals(key));
  }

  private async add(secrets: readonly string[]): Promise<string> {
    const known = secrets.findLast((each) => this.cipher.reads(each));
    if (known === undefined && secrets.length > 0) throw new UnreadablePersonKeyError();
    const wanted = known ?? this.cipher.encrypt(randomBytes(KEY_BYTES));
    return this.database.write(async (session) => {
      // Another process may have just made one.
      const found = await this.repository.secret(session);
      if (found !== null) return found;
      await this.repository.addSecret(session, wanted);
      return wanted;
    });
  }
}
