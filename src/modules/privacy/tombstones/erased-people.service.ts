import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { isErasedAddress } from '../../../ledger/records/personal-data.js';
import { ALL_VENDORS, type DatedRecord } from './erased-person.model.js';
import { PersonCipher, PersonHashes } from './person-keys.service.js';
import { TombstonesRepository } from './tombstones.repository.js';

/**
 * Returns the address that replaces an erased customer's e-mails, or null if the record names no
 * erased customer.
 */
type ErasedAddressOf = (record: DatedRecord) => string | null;

/** Finds the erased customers that arriving records must not bring back. */
@Injectable()
export class ErasedPeopleService {
  /** Last key that was read, so that it is decrypted only once. */
  private known: { readonly secret: string; readonly hashes: PersonHashes } | undefined;

  constructor(
    private readonly repository: TombstonesRepository,
    private readonly cipher: PersonCipher,
  ) {}

  /**
   * Looks up the customers of these records. The caller must hold the locks of their vendors: an
   * erasure first stores its tombstone and then waits for each vendor's lock.
   */
  async among(reader: Reader, records: readonly DatedRecord[]): Promise<ErasedAddressOf> {
    const own = new Set(records.map(({ vendor_id }) => vendor_id));
    const vendors = [ALL_VENDORS, ...own];
    const erasures = await this.repository.lastErasures(reader, vendors);
    if (erasures.length === 0) return () => null;
    const last = new Map(erasures.map(({ vendor_id, erased_at }) => [vendor_id, erased_at]));
    const hashes = await this.hashes(reader);
    // Records dated after the last erasure need no hash. These are most of the records that arrive
    // live.
    const people = new Map<string, string>();
    for (const { vendor_id, emails, date } of records) {
      if (![vendor_id, ALL_VENDORS].some((vendor) => date <= (last.get(vendor) ?? ''))) continue;
      for (const email of emails) {
        if (people.has(email) || isErasedAddress(email)) continue;
        people.set(email, hashes.personOf(email));
      }
    }
    const persons = [...new Set(people.values())];
    const tombstones = await this.repository.tombstonesOf(reader, vendors, persons);
    const erasedAt = new Map(
      tombstones.map(({ vendor_id, person, erased_at }) => [`${vendor_id} ${person}`, erased_at]),
    );
    return ({ vendor_id, emails, date }) => {
      const email = emails.find((each) =>
        [vendor_id, ALL_VENDORS].some(
          (vendor) => date <= (erasedAt.get(`${vendor} ${people.get(each) ?? ''}`) ?? ''),
        ),
      );
      return email === undefined ? null : hashes.addressAt(vendor_id, email);
    };
  }

  /** Returns the hashes of the database. @throws Error before the first erasure */
  async hashes(reader: Reader): Promise<PersonHashes> {
    const secret = await this.repository.secret(reader);
    if (secret === null)
      throw new Error('people were erased, but the key of their hashes is missing');
    if (this.known?.secret !== secret) {
      this.known = { secret, hashes: new PersonHashes(this.cipher.decryptKey(secret)) };
    }
    return this.known.hashes;
  }
}
