import 'reflect-metadata';

const FIELD = 'api-field';

/** What the documents of the interface tell of a field of a request, beside what its checks say. */
class FieldDescription {
  constructor(
    readonly description: string,
    readonly example: string | number,
  ) {}
}

/**
 * Describes a field of a query, of a path or of a body.
 * @param description whole sentences: what the field means, and its unit
 */
export function ApiField(description: string, example: string | number): PropertyDecorator {
  return Reflect.metadata(FIELD, new FieldDescription(description, example));
}

/** What `ApiField` says of a field of an instance, if anything. */
export function describedField(fields: object, name: string): FieldDescription | undefined {
  const told: unknown = Reflect.getMetadata(FIELD, fields, name);
  return told instanceof FieldDescription ? told : undefined;
}
