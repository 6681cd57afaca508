import { SetMetadata } from '@nestjs/common';
import type { Failure } from '../common/errors/catalogue.js';

/** Describes an operation for the OpenAPI documents, beyond what its code states. */
export interface Description {
  /** The operationId, in camel case. Generated clients use it, so it must not change. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Errors in addition to those of every operation and of invalid parameters. */
  readonly failures?: readonly Failure[];
  /**
   * The schemas of the records that a streamed body contains: one record, a list, or one record on
   * each line.
   */
  readonly records?: readonly string[];
  /** The media type of a file; other operations answer with the envelope. */
  readonly fileType?: string;
  /** True for a feed that sends `X-Paykey: unknown` for an unknown paykey. */
  readonly answersUnknownPaykey?: true;
}

export const DESCRIPTION = 'described-operation';

/**
 * Describes an operation for OpenAPI. Every operation must have it
 * (test/contract/openapi/openapi.test.ts).
 */
export function ApiOperation(description: Description): MethodDecorator {
  return SetMetadata(DESCRIPTION, description);
}
