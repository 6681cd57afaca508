import { SetMetadata } from '@nestjs/common';
import type { Failure } from '../common/errors/catalogue.js';

/** What the OpenAPI documents say about an operation and its code does not. */
export interface Description {
  /** The operationId, in camel case. Generated clients use it, so it must not change. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Errors in addition to those of every operation and of invalid parameters. */
  readonly failures?: readonly Failure[];
  /** The schemas of the records that a streamed body has: one of them, a list, or one on each line. */
  readonly records?: readonly string[];
  /** The media type of a file; other operations answer with the envelope. */
  readonly fileType?: string;
  /** True for a feed that sends `X-Paykey: unknown` for an unknown paykey. */
  readonly answersUnknownPaykey?: true;
}

export const DESCRIPTION = 'described-operation';

/** Required on every operation (test/contract/openapi/openapi.test.ts). */
export function ApiOperation(description: Description): MethodDecorator {
  return SetMetadata(DESCRIPTION, description);
}
