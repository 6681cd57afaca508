import { ValidationPipe, type ArgumentMetadata, type Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError } from '../errors/api-error.js';
import { isRecord } from '../../platform/values/is-record.js';

/** Reports the validation errors of one part of a request, such as `start_date must be …`. */
export class InvalidParametersError extends ApiError {
  constructor(readonly faults: readonly string[]) {
    super('invalid_parameters', `${faults.join('; ')}.`);
  }
}

/** Turns queries and bodies into their DTOs. Parameters that a DTO does not declare are dropped. */
export class ParametersPipe extends ValidationPipe {
  /** @param extended DTOs that take the place of others in a service with extensions */
  constructor(private readonly extended: ReadonlyMap<unknown, Type> = new Map()) {
    super({
      transform: true,
      whitelist: true,
      exceptionFactory: (errors: ValidationError[]) => new InvalidParametersError(faultsOf(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && !isRecord(value)) {
      throw new InvalidParametersError(['The body must be an object']);
    }
    const metatype = this.extended.get(metadata.metatype);
    const target = metatype === undefined ? metadata : { ...metadata, metatype };
    const transformed: unknown = await super.transform(value, target);
    return transformed;
  }
}

function faultsOf(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((message) =>
      // Messages of class-validator's own decorators begin with the property.
      message.startsWith(`${property} `) ? message : `${property} ${message}`,
    ),
  );
}
