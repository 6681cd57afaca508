import { createHmac } from 'node:crypto';
import { spelledAlike } from '../../../platform/database/entities/spellings.js';
import { erasedAddress } from '../../../ledger/records/personal-data.js';

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
