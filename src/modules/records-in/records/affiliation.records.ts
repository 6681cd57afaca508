import {
  readAffiliation,
  readClicks,
  type AffiliationRecord,
  type ClicksRecord,
} from '../../../ledger/records/user.record.js';
import { subjectOf } from '../../affiliates/index.js';
import type { RecordKind } from '../batches/typed-batch.js';
import { vendorIdOf, type RecordServices } from './record-services.js';
import { ofRelationship } from './references.js';

/** Applies `affiliation` records. */
export function affiliationRecords(services: RecordServices): RecordKind<AffiliationRecord> {
  const { affiliates } = services;
  return {
    type: 'affiliation',
    read: readAffiliation,
    identity: ({ affiliate_id, product_id }) => `${affiliate_id}/${product_id}`,
    ...ofRelationship(services),
    stored: ({ session }, terms) => affiliates.terms.locked(session, terms),
    audited: (before, after, run) => {
      const account_id = vendorIdOf(after, run);
      const subject = subjectOf(after);
      return { account_id, action: 'affiliation.import', subject, before, after };
    },
    save: ({ session }, changes) => affiliates.saveTerms(session, changes),
    raiseVersions: ({ session }, records) => affiliates.terms.raiseVersions(session, records),
  };
}

/** Applies `clicks` records. */
export function clicksRecords(services: RecordServices): RecordKind<ClicksRecord> {
  const { clicks } = services.affiliates;
  return {
    type: 'clicks',
    read: readClicks,
    identity: ({ affiliate_id, product_id, date }) => `${affiliate_id}/${product_id}/${date}`,
    ...ofRelationship(services),
    stored: ({ session }, records) => clicks.locked(session, records),
    save: ({ session }, changes) => clicks.save(session, changes),
    raiseVersions: ({ session }, records) => clicks.raiseVersions(session, records),
  };
}
