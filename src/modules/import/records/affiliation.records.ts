import {
  readAffiliation,
  readClicks,
  type AffiliationRecord,
  type ClicksRecord,
} from '../../../ledger-format/user.record.js';
import { subjectOf } from '../../affiliates/affiliate-terms.model.js';
import type { AffiliatesService } from '../../affiliates/affiliates.service.js';
import type { RecordKind } from '../record-kind.js';
import {
  addRelationship,
  missingRelationship,
  noteGivenAffiliate,
  ofOwnProduct,
  type GivenAffiliates,
} from './references.js';

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
    stored: ({ session }, terms) => affiliates.terms.locked(session, terms),
    problem: missingRelationship,
    forVendor: ofOwnProduct,
    audited: (before, after) => {
      return { action: 'affiliation.import', subject: subjectOf(after), before, after };
    },
    accepted: noteGivenAffiliate,
    prepare: (run) => given.save(run),
    save: ({ session }, changes) => affiliates.saveTerms(session, changes),
    raiseVersions: ({ session }, records) => affiliates.terms.raiseVersions(session, records),
  };
}

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
    stored: ({ session }, clicks) => affiliates.clicks.locked(session, clicks),
    problem: missingRelationship,
    forVendor: ofOwnProduct,
    accepted: noteGivenAffiliate,
    prepare: (run) => given.save(run),
    save: ({ session }, changes) => affiliates.clicks.save(session, changes),
    raiseVersions: ({ session }, records) => affiliates.clicks.raiseVersions(session, records),
  };
}
