import { SetMetadata } from '@nestjs/common';
import type { PersonalOperation } from './personal-read.model.js';

export const SHOWS_PERSONAL_DATA = 'shows-personal-data';

/** This metadata describes the personal data that an operation shows. */
export interface ShownPersonalData {
  readonly operation: PersonalOperation;
  /** Path parameter that names the one record. Absent for a list. */
  readonly of?: string;
}

/**
 * Marks an operation with an ETag of the ledger's revision that shows personal data. Each response
 * with data is recorded as a read.
 */
export function ShowsPersonalData(operation: PersonalOperation, of?: string): MethodDecorator {
  const shown: ShownPersonalData = of === undefined ? { operation } : { operation, of };
  return SetMetadata(SHOWS_PERSONAL_DATA, shown);
}
