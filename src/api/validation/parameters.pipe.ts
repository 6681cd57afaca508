import { ValidationPipe, type ArgumentMetadata, type Type } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ApiError } from '../errors/api-error.js';
import { isRecord } from '../../platform/values/is-record.js';
import { checkedNamesOf, refusesUnknown } from './request-inputs.js';

/** Reports the validation errors of one part of a request, such as `start_date must be …`. */
export class InvalidParametersError extends ApiError {
  constructor(readonly faults: readonly string[]) {
    super('invalid_parameters', `${faults.join('; ')}.`);
  }
}

/**
 * Turns queries and bodies into their DTOs. Parameters that a DTO does not declare are dropped, or
 * refused if the DTO says so.
 */
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
    if (isRecord(value) && refusesUnknown(metadata.metatype, value)) {
      checkNames(value, target.metatype);
    }
    const transformed: unknown = await super.transform(value, target);
    return transformed;
  }
}

/**
 * Checks that a DTO declares all these parameters. The check of class-validator would let names
 * pass that all objects have, such as `__proto__`.
 * @throws InvalidParametersError for others
 */
function checkNames(parameters: object, type: Type<object> | undefined): void {
  const declared = type === undefined ? [] : checkedNamesOf(type);
  const unknown = Object.keys(parameters).filter((name) => !declared.includes(name));
  if (unknown.length > 0) throw new InvalidParametersError(unknown.map(unknownFault));
}

function faultsOf(errors: readonly ValidationError[]): string[] {
  return errors.flatMap(({ property, constraints }) =>
    Object.values(constraints ?? {}).map((message) =>
      // Messages of class-validator's own decorators begin with the property.
      message.startsWith(`${property} `) ? message : `${property} ${message}`,
    ),
  );
}

const MAX_NAME_LENGTH = 40;

/** Leaves a long name out: it is hardly a mistyped name, but may be a key in the wrong place. */
function unknownFault(name: string): string {
  return name.length > MAX_NAME_LENGTH
    ? 'This operation has no parameter with such a long name'
    : `This operation has no parameter ${JSON.stringify(name)}`;
}
