import type { Type } from '@nestjs/common';
import { describedField } from '../../api/validation/api-field.js';
import { checkedNamesOf, checksOf } from '../../api/validation/request-inputs.js';
import { Allowed, type ValueSchema } from '../../api/validation/validators.js';
import type { Schema } from './open-api.model.js';

/** A field of a path, query or body, derived from its validators. */
export type Field = ReturnType<typeof fieldsOf>[number];

/**
 * Returns the fields of a DTO class in the order of their declaration, with their defaults.
 * @throws Error if a field has no validator that describes its values
 */
export function fieldsOf(type: Type<object>) {
  const initial = new type();
  const defaults = new Map<string, unknown>(Object.entries(initial));
  const checks = checksOf(type);
  return checkedNamesOf(type).map((name) => {
    const own = checks.filter(({ propertyName }) => propertyName === name);
    // Decorators run from the last to the first.
    const allowed = own
      .map(({ context }): unknown => context)
      .filter((context) => context instanceof Allowed)
      .reverse();
    if (allowed.length === 0) throw new Error(`${type.name}.${name} has no documented validator`);
    const nullable = own.some((check) => check.name === 'isOptional');
    const isOptional = nullable || allowed.some((each) => each.isOptional);
    return {
      ...fieldOf(name, allowed, isOptional, defaults.get(name)),
      /** True if null in JSON, or an empty value in a form, clears it. */
      nullable,
      ...described(initial, name, allowed),
    };
  });
}

function fieldOf(name: string, allowed: readonly Allowed[], isOptional: boolean, initial: unknown) {
  const schema = allowed.reduce<ValueSchema>((all, more) => ({ ...all, ...more.schema }), {});
  const fallback = schema.type === 'integer' ? Number(initial) : String(initial);
  return {
    name,
    required: !isOptional && initial === undefined,
    schema: { ...schema, default: initial === undefined ? undefined : fallback },
  };
}

function described(fields: object, name: string, allowed: readonly Allowed[]) {
  const { description, example } = describedField(fields, name) ?? {};
  const says = `${capitalized(allowed.map((each) => each.says).join('; '))}.`;
  return { description: description ?? says, example };
}

export function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Returns the schema of a JSON body, in which null clears a field. */
export function jsonBodyOf(type: Type<object>): Schema {
  return bodyOf(
    type,
    (schema) => ({ ...schema, type: [schema.type, 'null'] }),
    'Send null to clear it.',
  );
}

/** Returns the schema of a form body. A form has no null, so an empty value clears a field. */
export function formBodyOf(type: Type<object>): Schema {
  const clearable = (schema: Schema) => ({ anyOf: [schema, { type: 'string', maxLength: 0 }] });
  return bodyOf(type, clearable, 'Send an empty value to clear it.');
}

function bodyOf(
  type: Type<object>,
  clearable: (schema: Field['schema']) => Schema,
  clears: string,
): Schema {
  const fields = fieldsOf(type);
  const properties = fields.map(
    ({ name, nullable, schema, description, example }): [string, Schema] => [
      name,
      {
        ...(nullable ? clearable(schema) : schema),
        description: nullable ? `${description} ${clears}` : description,
        ...(example === undefined ? {} : { examples: [example] }),
      },
    ],
  );
  return {
    type: 'object',
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(properties),
  };
}
