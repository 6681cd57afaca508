import { SetMetadata } from '@nestjs/common';
import type { Failure } from '../common/errors/catalogue.js';

/** What the documents of the interface tell of an operation beside what its code says already. */
export interface Description {
  /** Its name in generated clients, in camel case; it stays, whatever becomes of the code. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** What only some operations answer; what all do, and wrong parameters, are known without it. */
  readonly failures?: readonly Failure[];
  /** True for a feed that answers `X-Paykey: unknown` to a paykey that it does not have. */
  readonly answersUnknownPaykey?: true;
}

export const DESCRIPTION = 'described-operation';

/** Every operation has one: without it there are no documents (test/contract/openapi/openapi.test.ts). */
export function ApiOperation(description: Description): MethodDecorator {
  return SetMetadata(DESCRIPTION, description);
}
