import { SetMetadata } from '@nestjs/common';
import { metadataOf } from '../common/validation/request-inputs.js';

const LENIENT_BODY = 'lenient-body';

/**
 * Lets an operation accept a body of any type. A body that is neither JSON nor a form has no
 * fields. Names of fields are read in any letter case. The validators of the fields must accept
 * every value.
 */
export function LenientBody(): MethodDecorator {
  return SetMetadata(LENIENT_BODY, true);
}

export function hasLenientBody(handler: unknown): boolean {
  return metadataOf(LENIENT_BODY, handler) === true;
}
