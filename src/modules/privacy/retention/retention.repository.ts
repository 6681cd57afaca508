import { Injectable } from '@nestjs/common';
import { In, Repository } from 'typeorm';
import { selectByKeys } from '../../../platform/database/bulk.js';
import type { Reader, Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { RetainedLedgerEntity, RetentionRuleEntity } from '../privacy.entity.js';
import { ALL_VENDORS, type RetainedLedger, type RetentionRule } from './retention.model.js';

type RetainedFrom = Pick<RetainedLedger, 'vendor_id' | 'retained_from'>;

/** Runs all SQL on retention. Only the statement that imports need is written by hand. */
@Injectable()
export class RetentionRepository {
  constructor(
    @InjectRepository(RetentionRuleEntity) private readonly rules: Repository<RetentionRule>,
    @InjectRepository(RetainedLedgerEntity) private readonly ledgers: Repository<RetainedLedger>,
  ) {}

  /** Returns all rules. The rule for all vendors comes first. */
  allRules(): Promise<RetentionRule[]> {
    return this.rules.find({ order: { vendor_id: 'ASC' } });
  }

  /** Returns the rules that can apply to a vendor. */
  rulesFor(vendor_id: number): Promise<RetentionRule[]> {
    return this.rules.find({ where: { vendor_id: In([ALL_VENDORS, vendor_id]) } });
  }

  async lockedRule(session: Session, vendor_id: number): Promise<RetentionRule | null> {
    const rules = session.manager.withRepository(this.rules);
    const [found] = await rules.find({ where: { vendor_id }, ...session.dialect.locked });
    return found ?? null;
  }

  async saveRule(session: Session, rule: RetentionRule): Promise<void> {
    await session.manager.withRepository(this.rules).save({ ...rule });
  }

  async removeRule(session: Session, vendor_id: number): Promise<void> {
    await session.manager.withRepository(this.rules).delete({ vendor_id });
  }

  allLedgers(): Promise<RetainedLedger[]> {
    return this.ledgers.find({ order: { vendor_id: 'ASC' } });
  }

  ledgerOf(vendor_id: number): Promise<RetainedLedger | null> {
    return this.ledgers.findOne({ where: { vendor_id } });
  }

  retainedFrom(reader: Reader, vendor_ids: readonly number[]): Promise<RetainedFrom[]> {
    const select = 'SELECT vendor_id, retained_from FROM retained_ledgers';
    return selectByKeys<RetainedFrom>(reader, select, ['vendor_id'], vendor_ids);
  }

  /** Reads a vendor's row and locks it until the session ends. */
  async locked(session: Session, vendor_id: number): Promise<RetainedLedger | null> {
    const ledgers = session.manager.withRepository(this.ledgers);
    const [found] = await ledgers.find({ where: { vendor_id }, ...session.dialect.locked });
    return found ?? null;
  }

  /**
   * Adds a vendor's row. It fails if another process has just added it, and the session is then
   * repeated.
   */
  async addLedger(session: Session, ledger: RetainedLedger): Promise<void> {
    await session.manager.withRepository(this.ledgers).insert({ ...ledger });
  }

  async change(session: Session, vendor_id: number, changes: Partial<RetainedLedger>) {
    await session.manager.withRepository(this.ledgers).update({ vendor_id }, changes);
  }
}
