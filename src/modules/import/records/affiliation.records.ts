import {
  readAffiliation,
  type AffiliationRecord,
} from '../../../ledger-format/affiliation.record.js';
import { subjectOf } from '../../affiliates/affiliation.model.js';
import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import type { RecordKind } from '../record-kind.js';
import { noteGivenAffiliate, type GivenAffiliates } from './given-affiliates.js';
import { addRelationship, missingRelationship, ofOwnProduct } from './references.js';

/** Applies `affiliation` records. */
export function affiliationRecords(
  affiliates: AffiliatesService,
  given: GivenAffiliates,
): RecordKind<AffiliationRecord> {
  return {
    type: 'affiliation',
    read: readAffiliation,
    identity: ({ affiliate_id, product_id }) => `${affiliate_id}/${product_id}`,
    addReferences: addRelationship,
    stored: ({ session }, affiliations) => affiliates.lockedAffiliations(session, affiliations),
    problem: missingRelationship,
    forVendor: ofOwnProduct,
    audited: (before, after) => {
      return { action: 'affiliation.import', subject: subjectOf(after), before, after };
    },
    accepted: noteGivenAffiliate,
    prepare: (run) => given.save(run),
    save: ({ session }, changes) => affiliates.saveAffiliations(session, changes),
    raiseVersions: ({ session }, records) => affiliates.raiseAffiliationVersions(session, records),
  };
}
