import { Injectable } from '@nestjs/common';
import { ChangeSource, type ContentCriteria } from '../../changes/change-source.model.js';
import { ChangeSourcesService } from '../../changes/change-sources.service.js';
import { AccountsService } from '../accounts.service.js';

/** The affiliates of a vendor's transactions in the feed of changes. Their key is the id. */
@Injectable()
export class AffiliateChangeSource extends ChangeSource {
  readonly kind = 'affiliate';

  constructor(
    private readonly accounts: AccountsService,
    sources: ChangeSourcesService,
  ) {
    super();
    sources.add(this);
  }

  override async contentsOf({
    reader,
    record_keys,
  }: ContentCriteria): Promise<ReadonlyMap<string, string>> {
    const users = await this.accounts.usersByIds(record_keys.map(Number), reader);
    return new Map(
      users.map(({ id, display_name }) => [String(id), JSON.stringify({ id, display_name })]),
    );
  }
}
