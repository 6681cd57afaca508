import { SetMetadata } from '@nestjs/common';
import type { Answer } from '../../common/envelope/envelope.js';
import type { PersonalOperation, ShownRecords } from './personal-read.model.js';

export const SHOWS_PERSONAL_DATA = 'shows-personal-data';

/** Names the parameters that say which records an operation shows. */
interface ShownBy {
  /** Path parameter with the key of the one record. Absent for a list. */
  readonly record?: string;
  /** True for a list from `start_date` to `end_date`. */
  readonly days?: true;
}

/** This metadata describes the personal data that an operation shows. */
export interface ShownPersonalData extends ShownBy {
  readonly operation: PersonalOperation;
}

/**
 * Marks an operation of the API that shows personal data. PersonalReadsInterceptor records each of
 * its answers as a read, with the number of results.
 */
export function ShowsPersonalData(operation: PersonalOperation, by: ShownBy = {}): MethodDecorator {
  return SetMetadata(SHOWS_PERSONAL_DATA, { operation, ...by } satisfies ShownPersonalData);
}

/** An answer adds its reads if they differ from one read of all its results. */
export interface AnswerWithReads extends Answer {
  readonly reads: readonly ShownRecords[];
}
