import { Injectable } from '@nestjs/common';
import { RecordFields } from '../../../ledger-format/record-fields.js';
import { readUser, type UserRecord } from '../../../ledger-format/user.record.js';
import { Database } from '../../../database/database.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { UpstreamClientService } from '../client/upstream-client.service.js';
import { UpstreamError } from '../client/upstream-error.model.js';
import { pathPart } from '../client/path-part.model.js';
import { NAME_TEXT } from '../../../ledger-format/text-rule.js';
import { objectOf } from '../convert/known.model.js';
import { idIn, SentFields, transactionIdIn } from '../convert/sent-fields.model.js';
import { UnusableUpstreamError, type Upstream } from '../upstream.model.js';
import { UpstreamCandidatesService, type NewUpstream } from './upstream-candidates.service.js';

const NO_SALE = 'The upstream has no sales yet, so its vendor is unknown. Pass --vendor ID.';

/** Finds the vendor whose sales an upstream has, if the operator does not name the vendor. */
@Injectable()
export class UpstreamOwnersService {
  constructor(
    private readonly candidates: UpstreamCandidatesService,
    private readonly client: UpstreamClientService,
    private readonly accounts: AccountsService,
    private readonly database: Database,
  ) {}

  /**
   * Finds the vendor of the upstream's first sale, and adds this user if there is none with that
   * id.
   * @returns the id of the vendor
   * @throws UnusableUpstreamError if the upstream does not show the vendor
   */
  async ensureOwner(wanted: NewUpstream): Promise<number> {
    const owner = await this.ownerOf({ id: 0, ...this.candidates.of(0, wanted) });
    await this.database.writeIdempotent(async (session) => {
      const [stored] = await this.accounts.lockedUsers(session, [owner.id]);
      if (stored !== undefined) return;
      const content = { ...owner, source_vendor_id: owner.id, admitted: null };
      const added = { content, before: undefined, record_version: null };
      await this.accounts.saveUsers(session, [added]);
    });
    return owner.id;
  }

  private async ownerOf(upstream: Upstream): Promise<UserRecord> {
    const sales = await this.results(upstream, '/v2.0/latest-transactions');
    const [transaction_id] = sales.flatMap((sale) => transactionIdIn(objectOf(sale)) ?? []);
    if (transaction_id === undefined) throw new UnusableUpstreamError(NO_SALE);
    const path = `/v2.1/transaction/details/${pathPart(transaction_id)}`;
    const [detail] = await this.results(upstream, path);
    const sent = new SentFields(detail);
    const fields = new RecordFields({
      id: idIn(sent.present('vendor_id')),
      name: sent.fittedText('vendor_name', NAME_TEXT) ?? '',
      email: sent.email('vendor_email') ?? '',
    });
    const owner = readUser(fields);
    if (!fields.faults.isEmpty) throw new UnusableUpstreamError(NO_SALE);
    return owner;
  }

  private async results(upstream: Upstream, path: string): Promise<readonly unknown[]> {
    try {
      const answer = await this.client.get(upstream, path, new AbortController().signal);
      return answer?.results ?? [];
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new UnusableUpstreamError(`The upstream cannot be read: ${error.message}.`);
    }
  }
}
