import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Session } from '../../../platform/database/database.js';
import { InstalledFeatures } from '../../../feature.js';

/** Removes texts that may quote erased data, such as answers of webhook receivers. */
@Injectable()
export class QuotedDataService {
  constructor(
    private readonly features: InstalledFeatures,
    private readonly modules: ModuleRef,
  ) {}

  async forget(session: Session, vendor_id: number): Promise<void> {
    for (const type of this.features.personalData) {
      await this.modules.get(type, { strict: false }).forgetPersonalData(session, vendor_id);
    }
  }
}
