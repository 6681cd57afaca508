import { Injectable } from '@nestjs/common';
import { readAffiliation, type AffiliationRecord } from '../../../ledger/records/user.record.js';
import { RecordFields } from '../../../ledger/records/record-fields.js';
import { Database } from '../../../platform/database/database.js';
import { pathPart, UpstreamError, type UpstreamAnswer } from '../client/upstream-answer.js';
import { UpstreamClientService } from '../client/upstream-client.service.js';
import { objectOf } from '../records/sent-fields.model.js';
import { relationshipLine } from '../records/affiliate-lines.js';
import { pairKey, UnusableUpstreamError, type Upstream } from './upstream.model.js';
import { UpstreamsRepository } from './upstreams.repository.js';

/**
 * A change fails after this time, which is shorter than typical timeouts of clients and than the
 * lease of a cancellation.
 */
const CHANGE_MS = 8_000;

/** The result of a change. `unknown`: the upstream may have made the change. */
type ChangeOutcome = 'taken' | 'refused' | 'unknown';

/** The result of a change of affiliate terms. */
type SetRelationship =
  | { readonly outcome: 'taken'; readonly relationship: AffiliationRecord }
  | { readonly outcome: 'refused' | 'unknown' };

type Pair = Pick<AffiliationRecord, 'affiliate_id' | 'product_id'>;

/**
 * Sends changes of mirrored vendors to their upstream first. See
 * docs/mirror.md#changes-that-you-make-here.
 */
@Injectable()
export class UpstreamWritesService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly client: UpstreamClientService,
  ) {}

  /**
   * Sets affiliate terms at the vendor's upstream.
   * @param terms body of the request for version 2.1
   * @returns null if the vendor has no upstream
   */
  async setRelationship(
    vendor_id: number,
    pair: Pair,
    terms: object,
  ): Promise<SetRelationship | null> {
    const upstream = await this.repository.ofVendor(vendor_id);
    if (upstream === null) return null;
    const { affiliate_id, product_id } = pair;
    const path = `/v2.1/affiliates/${affiliate_id}/products/${product_id}`;
    const answer = await this.put(upstream, path, terms);
    if (answer === 'refused') return { outcome: answer };
    const relationship = answer === 'unknown' ? null : relationshipIn(answer, pair);
    if (relationship !== null) return { outcome: 'taken', relationship };
    await this.readSoon(upstream, pair);
    return { outcome: 'unknown' };
  }

  /**
   * Cancels a subscription at the vendor's upstream.
   * @returns null if the vendor has no upstream
   */
  async cancel(vendor_id: number, pre_key: string): Promise<ChangeOutcome | null> {
    const upstream = await this.repository.ofVendor(vendor_id);
    if (upstream === null) return null;
    const path = `/v2.0/recurring_payment/${pathPart(pre_key)}`;
    const answer = await this.put(upstream, path, { status: 'CANCEL' });
    if (answer === 'refused' || answer === 'unknown') return answer;
    const { canceled } = objectOf(answer.results[0]);
    if (typeof canceled !== 'boolean') return 'unknown';
    return canceled ? 'taken' : 'refused';
  }

  private async put(
    upstream: Upstream,
    path: string,
    body: object,
  ): Promise<UpstreamAnswer | 'refused' | 'unknown'> {
    try {
      const signal = AbortSignal.timeout(CHANGE_MS);
      return (await this.client.put(upstream, path, body, signal)) ?? 'refused';
    } catch (error) {
      // The key cannot be used, so nothing was sent.
      if (error instanceof UnusableUpstreamError) return 'refused';
      if (!(error instanceof UpstreamError)) throw error;
      return error.fault === 'again' || error.fault === 'odd' ? 'unknown' : 'refused';
    }
  }

  /** Schedules a read of the terms, because the upstream may have changed them. */
  private async readSoon({ id }: Upstream, { affiliate_id, product_id }: Pair): Promise<void> {
    const record_key = pairKey(affiliate_id, product_id);
    await this.database.writeIdempotent(async (session) => {
      const upstream = await this.repository.locked(session, id);
      if (upstream === null) return;
      await this.repository.readSoon(session, upstream, { kind: 'relationship', record_key });
    });
  }
}

/** @returns null if the answer does not contain these terms */
function relationshipIn({ results }: UpstreamAnswer, pair: Pair): AffiliationRecord | null {
  const fields = new RecordFields(relationshipLine(results[0]).line);
  const relationship = readAffiliation(fields);
  const { affiliate_id, product_id } = relationship;
  const isIt = affiliate_id === pair.affiliate_id && product_id === pair.product_id;
  return fields.faults.isEmpty && isIt ? relationship : null;
}
