import { SetMetadata } from '@nestjs/common';
import type { PersonalOperation } from './personal-read.model.js';

export const SHOWS_PERSONAL_DATA = 'shows-personal-data';

/** What an operation shows that has personal data. */
export interface ShownPersonalData {
  readonly operation: PersonalOperation;
  /** The path parameter that names the one record; absent for a list. */
  readonly of?: string;
}

/** Marks an operation tagged by revision whose answers have personal data: each is noted as a read. */
export function ShowsPersonalData(operation: PersonalOperation, of?: string): MethodDecorator {
  const shown: ShownPersonalData = of === undefined ? { operation } : { operation, of };
  return SetMetadata(SHOWS_PERSONAL_DATA, shown);
}
