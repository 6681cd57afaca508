import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError } from '../errors/api-error.js';

/**
 * Turns queries and bodies into their DTOs. What a DTO does not declare is dropped: unknown
 * parameters are ignored, and reach nothing.
 */
export class ParametersPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      // An error carries no copy of what was sent.
      validationError: { target: false, value: false },
      exceptionFactory: (errors: ValidationError[]) =>
        new ApiError('invalid_parameters', sentenceOf(errors)),
    });
  }
}

/** Names each fault: `start_date must be …; page_size must be ….` */
function sentenceOf(errors: readonly ValidationError[]): string {
  const faults = errors.flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((message) => `${property} ${message}`),
  );
  return `${faults.join('; ')}.`;
}
