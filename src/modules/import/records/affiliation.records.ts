import {
  readAffiliation,
  type AffiliationRecord,
} from '../../../ledger-format/affiliation.record.js';
import type { Stored } from '../../../ledger-format/overruled.js';
import { subjectOf } from '../../affiliates/affiliation.model.js';
import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import type { AuditedChange, BatchRun, References } from '../batch-run.js';
import type { Change, RecordKind } from '../record-kind.js';
import { missingProduct, missingUser } from './missing-references.js';

/** Applies `affiliation` records. */
export class AffiliationRecords implements RecordKind<AffiliationRecord> {
  readonly type = 'affiliation';
  readonly read = readAffiliation;

  constructor(private readonly affiliates: AffiliatesService) {}

  identity({ affiliate_id, product_id }: AffiliationRecord): string {
    return `${affiliate_id}/${product_id}`;
  }

  noteReferences({ affiliate_id, product_id }: AffiliationRecord, references: References): void {
    references.users.add(affiliate_id);
    references.products.add(product_id);
  }

  stored(
    run: BatchRun,
    affiliations: readonly AffiliationRecord[],
  ): Promise<readonly Stored<AffiliationRecord>[]> {
    return this.affiliates.lockedAffiliations(run.session, affiliations);
  }

  refusal({ affiliate_id, product_id }: AffiliationRecord, line: number, run: BatchRun) {
    const missing = missingUser('affiliate_id', affiliate_id, line, run);
    return missing ?? missingProduct(product_id, line, run);
  }

  audited(before: AffiliationRecord, after: AffiliationRecord): AuditedChange {
    return { action: 'affiliation.import', subject: subjectOf(after), before, after };
  }

  async save(run: BatchRun, changes: readonly Change<AffiliationRecord>[]): Promise<void> {
    const stored = changes.map(({ after, overruled }) => ({ content: after, overruled }));
    await this.affiliates.saveAffiliations(run.session, stored);
  }
}
