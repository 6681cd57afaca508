import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../api/access/principal.js';
import { ApiError } from '../../api/errors/api-error.js';
import { ChangesService } from '../../ledger/changes/changes.service.js';
import type { SeenUser } from '../../ledger/reads/seen-user.model.js';
import {
  type Overlaid,
  type Overruled,
  overruledBy,
} from '../../ledger/records/overruled-fields.js';
import { Database } from '../../platform/database/database.js';
import { comparableEmail } from '../../platform/values/email.js';
import { isRecord } from '../../platform/values/is-record.js';
import { dateTimeOf } from '../../platform/values/time.js';
import {
  type Advice,
  AuditService,
  CLI,
  isoOf,
  type LoggedAuditEntry,
  shellWord,
  type State,
  type UndoneActions,
} from '../audit/index.js';
import { UpstreamWritesService } from '../mirror/index.js';
import {
  type AffiliateTerms,
  type AffiliateTermsKey,
  ALWAYS_SET,
  changedRelationship,
  subjectOf,
  TERMS,
  type TermsUpdate,
} from './affiliate-terms.model.js';
import { AffiliatesRepository } from './affiliates.repository.js';
import { AffiliatesService } from './affiliates.service.js';

const REFUSED = 'The service that this ledger mirrors did not take the change; nothing changed.';
const UNKNOWN =
  'The service that this ledger mirrors has not said whether it took the change. The relationship is read from there soon.';

/** Identifies the vendor, and the application whose key was used. */
type Author = Pick<Principal, 'user_id' | 'application_id'>;

/** Sets the terms of affiliates on behalf of their vendors. */
@Injectable()
export class RelationshipWritesService {
  constructor(
    private readonly affiliates: AffiliatesService,
    private readonly repository: AffiliatesRepository,
    private readonly upstreams: UpstreamWritesService,
    private readonly audit: AuditService,
    private readonly changes: ChangesService,
    private readonly database: Database,
  ) {}

  /**
   * Adds or updates the terms of an affiliate, with an entry in the audit log. Terms that already
   * are as requested are neither written nor logged. The terms of a mirrored vendor are set at the
   * upstream first.
   * @throws ApiError not_found, foreign_product; invalid_parameters if the verification e-mail
   *   differs; request_failed if the upstream rejected the change or did not confirm it
   */
  async set(
    principal: Author,
    key: AffiliateTermsKey,
    update: TermsUpdate,
  ): Promise<AffiliateTerms> {
    const { affiliate } = await this.affiliates.knownParties(principal.user_id, key);
    const mirrored = await this.setAtUpstream(principal.user_id, key, update);
    // Terms of the upstream overrule no field, because the upstream is the ledger's source.
    if (mirrored !== null) {
      return this.save(principal, key, () => ({ content: mirrored, overruled: null }));
    }
    const email = update.affiliate_verification_email;
    if (email !== null && !isEmailOf(affiliate, email)) {
      const problem = "affiliate_verification_email must be the affiliate's e-mail.";
      throw new ApiError('invalid_parameters', problem);
    }
    return this.save(principal, key, (stored) => {
      const content = updated(stored?.content ?? newTerms(key), update);
      return { content, overruled: overruledBy(stored, content, fieldsSetBy(update)) };
    });
  }

  /**
   * Sets the terms at the upstream, which also checks the verification e-mail, because the address
   * may be unknown here.
   * @returns the terms at the upstream, or null if the vendor is not mirrored
   */
  private async setAtUpstream(
    vendor_id: number,
    key: AffiliateTermsKey,
    { approval_status, affiliate_verification_email: email, terms }: TermsUpdate,
  ): Promise<AffiliateTerms | null> {
    const check = email === null ? {} : { affiliate_verification_email: email };
    const body = { approval_status, ...check, ...terms };
    const set = await this.upstreams.setRelationship(vendor_id, key, body);
    if (set === null) return null;
    if (set.outcome === 'taken') return set.relationship;
    throw new ApiError('request_failed', set.outcome === 'refused' ? REFUSED : UNKNOWN);
  }

  /** @param change returns the terms to save */
  private save(
    { user_id, application_id }: Author,
    key: AffiliateTermsKey,
    change: (stored: Overlaid<AffiliateTerms> | null) => Overlaid<AffiliateTerms>,
  ): Promise<AffiliateTerms> {
    return this.database.writeIdempotent(async (session) => {
      const [stored = null] = await this.repository.terms.locked(session, [key]);
      const before = stored?.content;
      const changed = change(stored);
      const { content: after } = changed;
      // A client or a proxy that got no response repeats the request, so terms that already are as
      // requested are not written again.
      if (isDeepStrictEqual(before, after)) return after;
      const record_version = stored?.record_version ?? null;
      await this.repository.terms.save(session, [{ ...changed, record_version, before }]);
      await this.changes.record(session, [changedRelationship(user_id, after)]);
      await this.audit.record(session, {
        user_id,
        application_id,
        action: 'affiliation.set',
        subject: subjectOf(after),
        before: before ?? null,
        after,
      });
      return after;
    });
  }
}

/**
 * Compares e-mail addresses. An address that the vendor cannot see matches no value, so that the
 * vendor cannot confirm a guess (docs/records.md#what-vendors-see-of-affiliates).
 */
function isEmailOf(affiliate: SeenUser, email: string): boolean {
  if (affiliate.email === null) return false;
  return comparableEmail(email) === comparableEmail(affiliate.email);
}

function newTerms(key: AffiliateTermsKey): AffiliateTerms {
  return {
    ...key,
    created: dateTimeOf(new Date()),
    status: 'REQUESTED',
    comments: null,
    custom_commission: null,
    delayed_commission: false,
    custom_sales_page_url: null,
    custom_payment_1st_payout: null,
    custom_payment_trial_payout: null,
  };
}

function fieldsSetBy({ terms }: TermsUpdate): (keyof AffiliateTerms)[] {
  return [...ALWAYS_SET, ...TERMS.filter((term) => terms[term] !== undefined)];
}

/** Applies an update to stored terms. An absent value keeps the stored one; null clears it. */
function updated(stored: AffiliateTerms, { approval_status, terms }: TermsUpdate): AffiliateTerms {
  const given = Object.entries(terms).filter(([, value]) => value !== undefined);
  return {
    ...stored,
    status: approval_status === 'DENIED' ? 'DENIED' : 'APPROVED',
    delayed_commission: approval_status === 'DELAYED',
    ...Object.fromEntries(given),
  };
}

/** Lists the audited action on affiliate terms, with advice for after a restore. */
export const TERMS_ACTIONS: UndoneActions = { 'affiliation.set': onTerms };

function onTerms(after: State, { before }: LoggedAuditEntry): Advice {
  const { created, status } = after;
  const record = { type: 'affiliation', ...after, created: isoOf(String(created)) };
  const line = shellWord(JSON.stringify(record));
  const key = [after.affiliate_id, after.product_id].map(Number);
  const overruled = JSON.stringify(overruledIn(isRecord(before) ? before : null, after));
  return {
    urgent: status === 'DENIED',
    todo: `The relationship is as before: printf '%s\\n' ${line} | ${CLI} import - ; then, so that no later file undoes it, run in the database: UPDATE affiliations SET overruled = '${overruled}' WHERE affiliate_id = ${key[0]} AND product_id = ${key[1]};`,
  };
}

/** Matches text that needs no escaping in an SQL string of any database. */
const PLAIN_IN_SQL = /^[\w./:?&=%+,#~-]*$/;

/**
 * Returns the ledger's values of the fields that were set, without those that an SQL string would
 * have to escape.
 */
function overruledIn(before: State | null, after: State): Overruled {
  const stored = before === null ? null : { content: before, overruled: null };
  const set = Object.entries(overruledBy(stored, after, [...ALWAYS_SET, ...TERMS]) ?? {});
  return Object.fromEntries(
    set.filter(([, { said }]) => typeof said !== 'string' || PLAIN_IN_SQL.test(said)),
  );
}
