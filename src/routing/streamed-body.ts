import { SetMetadata } from '@nestjs/common';
import { metadataOf } from '../common/validation/request-inputs.js';

const STREAMED_BODY = 'streamed-body';

/** Lets an operation read the body itself. The body may be large, and take minutes to arrive. */
export function StreamedBody(): MethodDecorator {
  return SetMetadata(STREAMED_BODY, true);
}

export function hasStreamedBody(handler: unknown): boolean {
  return metadataOf(STREAMED_BODY, handler) === true;
}
