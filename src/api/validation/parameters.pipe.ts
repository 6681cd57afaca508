import { ValidationPipe, type ArgumentMetadata, type Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError } from '../errors/api-error.js';
import { isRecord } from '../../platform/values/is-record.js';
import { refusesUnknown } from './request-inputs.js';

/** Reports the validation errors of one part of a request, such as `start_date must be …`. */
export class InvalidParametersError extends ApiError {
  constructor(readonly faults: readonly string[]) {
    super('invalid_parameters', `${faults.join('; ')}.`);
  }
}

const RULES = {
  transform: true,
  whitelist: true,
  exceptionFactory: (errors: ValidationError[]) => new InvalidParametersError(faultsOf(errors)),
} as const;

/**
 * Turns queries and bodies into their DTOs. Parameters that a DTO does not declare are dropped, or
 * refused if the DTO says so.
 */
export class ParametersPipe extends ValidationPipe {
  private readonly strict = new ValidationPipe({ ...RULES, forbidNonWhitelisted: true });

  /** @param extended DTOs that take the place of others in a service with extensions */
  constructor(private readonly extended: ReadonlyMap<unknown, Type> = new Map()) {
    super(RULES);
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && !isRecord(value)) {
      throw new InvalidParametersError(['The body must be an object']);
    }
    const metatype = this.extended.get(metadata.metatype);
    const target = metatype === undefined ? metadata : { ...metadata, metatype };
    if (isRecord(value) && refusesUnknown(metadata.metatype, value)) {
      return this.strict.transform(value, target);
    }
    const transformed: unknown = await super.transform(value, target);
    return transformed;
  }
}

function faultsOf(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ property, constraints }) =>
    Object.entries(constraints ?? {}).map(([check, message]) => {
      if (check === UNKNOWN) return unknownFault(property);
      // Messages of class-validator's own decorators begin with the property.
      return message.startsWith(`${property} `) ? message : `${property} ${message}`;
    }),
  );
}

/** The check of class-validator that a parameter is declared. */
const UNKNOWN = 'whitelistValidation';
const MAX_NAME_LENGTH = 40;

/** Leaves a long name out: it is hardly a mistyped name, but may be a key in the wrong place. */
function unknownFault(name: string): string {
  return name.length > MAX_NAME_LENGTH
    ? 'This operation has no parameter with such a long name'
    : `This operation has no parameter ${JSON.stringify(name)}`;
}
