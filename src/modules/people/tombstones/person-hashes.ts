import { createHmac } from 'node:crypto';
import { spelledAlike } from '../../../database/spellings.js';
import { erasedAddress } from '../../../ledger-format/personal-data.js';

/**
 * Keyed hashes of people. A person is an e-mail, however it is spelled (`spelledAlike`). Without the key
 * nobody can try e-mails against a hash; hashes for different purposes cannot be compared.
 */
export class PersonHashes {
  constructor(private readonly key: Buffer) {}

  /** Names the person in a tombstone. Hexadecimal. */
  personOf(email: string): string {
    return this.hash(`person ${spelledAlike(email)}`);
  }

  /** Stands in place of the person's e-mails at a vendor: the same for all of them, and at no other vendor. */
  addressAt(vendor_id: number, email: string): string {
    return erasedAddress(this.hash(`address ${vendor_id} ${spelledAlike(email)}`));
  }

  private hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('hex');
  }
}
