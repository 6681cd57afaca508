import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThanOrEqual, Repository } from 'typeorm';
import { dateTimeIn } from '../../../platform/values/time.js';
import type { EntityReader, Session } from '../../../platform/database/database.js';
import { InjectRepository } from '../../../platform/database/entities/inject-repository.js';
import { ALL_VENDORS } from '../tombstones/erased-person.model.js';
import {
  EarlyErasuresEntity,
  OpenImportEntity,
  type EarlyErasures,
  type OpenImport,
} from '../privacy.entity.js';

/** Runs the SQL on open imports, and counts tombstones of customers whose data may still arrive. */
@Injectable()
export class OpenImportsRepository {
  constructor(
    @InjectRepository(OpenImportEntity) private readonly imports: Repository<OpenImport>,
    @InjectRepository(EarlyErasuresEntity) private readonly early: Repository<EarlyErasures>,
  ) {}

  /** Adds an import or extends it, and removes imports whose process has ended. */
  async save(session: Session, open: OpenImport): Promise<void> {
    await this.in(session).delete({ ends: LessThan(dateTimeIn(0)) });
    await this.in(session).upsert(open, ['id']);
  }

  async remove(session: Session, id: string): Promise<void> {
    await this.in(session).delete({ id });
  }

  /**
   * Returns true if an open import may bring records of the vendor. For ALL_VENDORS, any import
   * counts.
   */
  isOpen(reader: EntityReader, vendor_id: number): Promise<boolean> {
    const ofVendor = { vendor_id: In([ALL_VENDORS, vendor_id]) };
    return this.in(reader).existsBy({
      ends: MoreThanOrEqual(dateTimeIn(0)),
      ...(vendor_id !== ALL_VENDORS && ofVendor),
    });
  }

  /** Counts a tombstone of a customer without stored data. @returns the vendor's new number */
  async countEarly(session: Session, vendor_id: number): Promise<number> {
    const early = session.manager.withRepository(this.early);
    const { affected } = await early.increment({ vendor_id }, 'tombstones', 1);
    // The session is repeated if another one adds the row at the same time.
    if (affected === 0) await early.insert({ vendor_id, tombstones: 1 });
    return (await early.findOneBy({ vendor_id }))?.tombstones ?? 0;
  }

  private in({ manager }: EntityReader): Repository<OpenImport> {
    return manager.withRepository(this.imports);
  }
}
