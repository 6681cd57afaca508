import { readClicks, type ClicksRecord } from '../../../ledger-format/clicks.record.js';
import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import { neverOverruled, type RecordKind } from '../record-kind.js';
import { noteGivenAffiliate, type GivenAffiliates } from './given-affiliates.js';
import { addRelationship, missingRelationship, ofOwnProduct } from './references.js';

/** Applies `clicks` records. */
export function clicksRecords(
  affiliates: AffiliatesService,
  given: GivenAffiliates,
): RecordKind<ClicksRecord> {
  return {
    type: 'clicks',
    read: readClicks,
    identity: ({ affiliate_id, product_id, date }) => `${affiliate_id}/${product_id}/${date}`,
    addReferences: addRelationship,
    stored: async ({ session }, clicks) =>
      neverOverruled(await affiliates.lockedClicks(session, clicks)),
    problem: missingRelationship,
    forVendor: ofOwnProduct,
    accepted: noteGivenAffiliate,
    prepare: (run) => given.save(run),
    save: ({ session }, changes) => affiliates.saveClicks(session, changes),
    raiseVersions: ({ session }, records) => affiliates.raiseClicksVersions(session, records),
  };
}
