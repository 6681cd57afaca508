import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../platform/database/database.js';
import { AccountsRepository } from '../../accounts/index.js';
import type { Author } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import {
  ALL_VENDORS,
  UnknownRuleError,
  type RetainedLedger,
  type RetentionRule,
  type VendorRetention,
} from './retention.model.js';
import { RetentionRepository } from './retention.repository.js';

/**
 * Manages the rules for how long personal data is kept. Only an operator changes them. Each change
 * is in the audit log.
 */
@Injectable()
export class RetentionRulesService {
  constructor(
    private readonly database: Database,
    private readonly repository: RetentionRepository,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditService,
  ) {}

  rules(): Promise<RetentionRule[]> {
    return this.repository.allRules();
  }

  ledgers(): Promise<RetainedLedger[]> {
    return this.repository.allLedgers();
  }

  /** Returns the retention that applies to a vendor. */
  async of(vendor_id: number): Promise<VendorRetention> {
    const rules = await this.repository.rulesFor(vendor_id);
    const own = rules.find((rule) => rule.vendor_id === vendor_id);
    const retained = await this.repository.ledgerOf(vendor_id);
    return {
      months: (own ?? rules[0])?.months ?? null,
      isOwn: own !== undefined,
      retained_from: retained?.retained_from ?? null,
    };
  }

  /**
   * Returns the first days for which these vendors keep personal data, if they have one. The caller
   * must hold the locks of their ledgers, because a run raises the day under the lock and then
   * removes stored data.
   */
  async retainedFrom(reader: Reader, vendor_ids: Iterable<number>) {
    const rows = await this.repository.retainedFrom(reader, [...vendor_ids]);
    return new Map(rows.map(({ vendor_id, retained_from }) => [vendor_id, retained_from]));
  }

  /**
   * Sets the rule of a vendor, or of all vendors without a rule of their own.
   * @throws UnknownAccountError if there is no such user
   */
  set(rule: RetentionRule, by: Author): Promise<void> {
    const { vendor_id, months } = rule;
    return this.database.write(async (session) => {
      if (vendor_id !== ALL_VENDORS) await this.accounts.lockKnownUser(session, vendor_id);
      const before = await this.repository.lockedRule(session, vendor_id);
      await this.repository.saveRule(session, rule);
      await this.audit.record(session, {
        ...by,
        account_id: vendor_id,
        action: 'retention.set',
        subject: subjectOf(vendor_id),
        before: before && { months: before.months },
        after: { months },
      });
    });
  }

  /**
   * Removes a rule. Personal data that was removed is not restored.
   * @throws UnknownRuleError if there is no such rule
   */
  clear(vendor_id: number, by: Author): Promise<void> {
    return this.database.write(async (session) => {
      const before = await this.repository.lockedRule(session, vendor_id);
      if (before === null) {
        throw new UnknownRuleError(`There is no retention rule of ${subjectOf(vendor_id)}.`);
      }
      await this.repository.removeRule(session, vendor_id);
      await this.audit.record(session, {
        ...by,
        account_id: vendor_id,
        action: 'retention.clear',
        subject: subjectOf(vendor_id),
        before: { months: before.months },
        after: {},
      });
    });
  }
}

/** Returns the name of a vendor in the audit log. */
export function subjectOf(vendor_id: number): string {
  return vendor_id === ALL_VENDORS ? 'all vendors' : `vendor ${vendor_id}`;
}
