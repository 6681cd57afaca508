import { SetMetadata } from '@nestjs/common';
import { metadataOf } from '../common/validation/request-inputs.js';

const OPEN_OPERATION = 'open-operation';

/**
 * Lets callers without a key use an operation; an Authorization header is ignored. Such operations have
 * limits of their own (src/access/limits/open-limit.guard.ts).
 */
export function OpenOperation(): MethodDecorator {
  return SetMetadata(OPEN_OPERATION, true);
}

export function isOpenOperation(handler: unknown): boolean {
  return metadataOf(OPEN_OPERATION, handler) === true;
}
