import { readClicks, type ClicksRecord } from '../../../ledger-format/clicks.record.js';
import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import type { BatchRun, References } from '../batch-run.js';
import type { Change, RecordKind } from '../record-kind.js';
import { missingProduct, missingUser } from './missing-references.js';

/** Applies `clicks` records. */
export class ClicksRecords implements RecordKind<ClicksRecord> {
  readonly type = 'clicks';
  readonly read = readClicks;

  constructor(private readonly affiliates: AffiliatesService) {}

  identity({ affiliate_id, product_id, date }: ClicksRecord): string {
    return `${affiliate_id}/${product_id}/${date}`;
  }

  noteReferences({ affiliate_id, product_id }: ClicksRecord, references: References): void {
    references.users.add(affiliate_id);
    references.products.add(product_id);
  }

  async stored(run: BatchRun, clicks: readonly ClicksRecord[]) {
    const stored = await this.affiliates.storedClicks(run.session, clicks);
    return stored.map((content) => ({ content, overruled: null }));
  }

  refusal({ affiliate_id, product_id }: ClicksRecord, line: number, run: BatchRun) {
    const missing = missingUser('affiliate_id', affiliate_id, line, run);
    return missing ?? missingProduct(product_id, line, run);
  }

  async save(run: BatchRun, changes: readonly Change<ClicksRecord>[]): Promise<void> {
    const clicks = changes.map(({ after }) => after);
    await this.affiliates.saveClicks(run.session, clicks);
  }
}
