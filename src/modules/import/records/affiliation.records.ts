import {
  readAffiliation,
  type AffiliationRecord,
} from '../../../ledger-format/affiliation.record.js';
import { subjectOf } from '../../affiliates/affiliation.model.js';
import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import type { RecordKind } from '../record-kind.js';
import { addRelationship, missingRelationship, ofOwnProduct } from './references.js';

/** Applies `affiliation` records. */
export function affiliationRecords(affiliates: AffiliatesService): RecordKind<AffiliationRecord> {
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
    save: ({ session }, changes) => affiliates.saveAffiliations(session, changes),
    raiseVersions: ({ session }, records) => affiliates.raiseAffiliationVersions(session, records),
  };
}
