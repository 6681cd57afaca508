import { Injectable } from '@nestjs/common';
import { ChangeSource, type ContentCriteria } from '../../../ledger/changes/change-source.model.js';
import { SeenUsersRepository } from './seen-users.repository.js';

/**
 * Provides the affiliates of a vendor's transactions to the feed of changes. Their key is the id.
 */
@Injectable()
export class AffiliateChangeSource extends ChangeSource {
  readonly kind = 'affiliate';

  constructor(private readonly users: SeenUsersRepository) {
    super();
  }

  override async contentsOf({ reader, vendor_id, record_keys }: ContentCriteria) {
    const users = await this.users.usersSeenBy(vendor_id, record_keys.map(Number), reader);
    return new Map(
      users.map(({ id, display_name }) => [String(id), JSON.stringify({ id, display_name })]),
    );
  }
}
