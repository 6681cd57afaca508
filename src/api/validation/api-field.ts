import 'reflect-metadata';

const FIELD = 'api-field';

/** An example value of a parameter or body field. */
type FieldExample = string | number | readonly (string | number)[];

class FieldDescription {
  constructor(
    readonly description: string,
    readonly example: FieldExample,
  ) {}
}

/**
 * Documents a parameter or body field in OpenAPI.
 * @param description whole sentences: meaning and unit
 */
export function ApiField(description: string, example: FieldExample): PropertyDecorator {
  return Reflect.metadata(FIELD, new FieldDescription(description, example));
}

/** Returns the `ApiField` of a field of an instance, if any. */
export function describedField(fields: object, name: string): FieldDescription | undefined {
  const metadata: unknown = Reflect.getMetadata(FIELD, fields, name);
  return metadata instanceof FieldDescription ? metadata : undefined;
}
