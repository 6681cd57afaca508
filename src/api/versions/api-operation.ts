import { SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Failure } from '../errors/catalogue.js';
import type { Access } from '../access/principal.js';
import { metadataOf } from '../validation/request-inputs.js';

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
  /** JSON Schema of one result, for an operation of an extension. By default, it is any object. */
  readonly result?: Readonly<Record<string, unknown>>;
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

export const ALLOWED_ACCESS = 'allowed-access';

/**
 * Sets the access levels that may use an operation. Without this decorator, `full`, `read` and
 * `masked` may use a GET, and only `full` may use other methods
 * (src/api/access/access.module.ts).
 */
export function AllowAccess(...allowed: readonly Access[]): MethodDecorator {
  return SetMetadata(ALLOWED_ACCESS, allowed);
}

/** Creates a decorator that takes no arguments. */
function marker() {
  return Reflector.createDecorator<undefined, true>({ transform: () => true });
}

/**
 * Lets callers without a key use an operation; an Authorization header is ignored. Such operations
 * have limits of their own (src/api/access/key-limit.guard.ts).
 */
export const OpenOperation = marker();

export function isOpenOperation(handler: unknown): boolean {
  return metadataOf(OpenOperation.KEY, handler) === true;
}

/**
 * Lets an operation accept a body of any type. A body that is neither JSON nor a form has no
 * fields. Names of fields are read in any letter case. The validators of the fields must accept
 * every value.
 */
export const LenientBody = marker();

export function hasLenientBody(handler: unknown): boolean {
  return metadataOf(LenientBody.KEY, handler) === true;
}

/** Lets an operation read the body itself. The body may be large, and take minutes to arrive. */
export const StreamedBody = marker();

export function hasStreamedBody(handler: unknown): boolean {
  return metadataOf(StreamedBody.KEY, handler) === true;
}

/** Lets an operation accept the key as a Bearer token, too. */
export const BearerKeys = marker();

export function takesBearerKeys(handler: unknown): boolean {
  return metadataOf(BearerKeys.KEY, handler) === true;
}
