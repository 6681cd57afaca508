import type { Type } from '@nestjs/common';
import type { Failure } from '../../api/errors/catalogue.js';
import {
  BODY_KIB,
  FORM,
  JSON_MEDIA,
  MAX_DEPTH,
  MULTIPART,
} from '../../api/edge/request-body.interceptor.js';
import { REQUEST_HEADERS, type Header } from './headers.js';
import { refTo, type Parameter, type Reference, type Schema } from './open-api.model.js';
import {
  type RequestInput,
  checkedNamesOf,
  checksOf,
} from '../../api/validation/request-inputs.js';
import type { RoutedOperation } from './routed-operations.js';
import { describedField } from '../../api/validation/api-field.js';
import { allowedBy, type Allowed, type ValueSchema } from '../../api/validation/validators.js';

/** A field of a path, query or body, derived from its validators. */
export type Field = ReturnType<typeof fieldsOf>[number];

/**
 * Returns the fields of a DTO class in the order of their declaration, with their defaults.
 * @throws Error if a field has neither a validator that describes its values, nor an `ApiField`
 */
export function fieldsOf(type: Type<object>) {
  const initial = new type();
  const defaults = new Map<string, unknown>(Object.entries(initial));
  const checks = checksOf(type);
  return checkedNamesOf(type).map((name) => {
    const own = checks.filter(({ propertyName }) => propertyName === name);
    // Decorators run from the last to the first.
    const allowed = own
      .map(allowedBy)
      .filter((allows) => allows !== undefined)
      .reverse();
    if (allowed.length === 0 && describedField(initial, name) === undefined) {
      throw new Error(`${type.name}.${name} has no documented validator, and no @ApiField(…)`);
    }
    const nullable = own.some((check) => check.name === 'isOptional');
    // A parameter may be left out if it is checked only under a condition, such as that it is given.
    const isConditional = own.some(({ type: kind }) => kind === 'conditionalValidation');
    const isOptional = isConditional || allowed.some((each) => each.isOptional);
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
  const clearable = (schema: Field['schema']) =>
    // A field whose validators describe no type may have any value.
    schema.type === undefined ? schema : { ...schema, type: [schema.type, 'null'] };
  return bodySchemaOf(type, clearable, 'Send null to clear it.');
}

/** Returns the schema of a form body. A form has no null, so an empty value clears a field. */
export function formBodyOf(type: Type<object>): Schema {
  const clearable = (schema: Schema) => ({ anyOf: [schema, { type: 'string', maxLength: 0 }] });
  return bodySchemaOf(type, clearable, 'Send an empty value to clear it.');
}

function bodySchemaOf(
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

/** A call with its real answer, and the answers to invalid variants of it. */
export interface Example {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: unknown;
  readonly failures: Readonly<Partial<Record<Failure, unknown>>>;
}

/** An operation at one of the paths of its route, as the document shows it. */
export interface Documented extends RoutedOperation {
  /** In the format of OpenAPI. An optional parameter is in only one of the paths of a route. */
  readonly path: string;
  readonly example: Example | undefined;
  /** Further headers of a success. */
  readonly ownHeaders: readonly Header[];
}

const NDJSON_MEDIA = 'application/x-ndjson';

const STRICT_BODY = `At most ${BODY_KIB} KiB and ${MAX_DEPTH} levels of nesting. Unknown fields are ignored. A form body that begins with \`{\` is parsed as JSON.`;
const LENIENT_BODY = `At most ${BODY_KIB} KiB. Names of fields may be in any letter case. Whatever else is sent is ignored, also a body that is neither JSON nor a form.`;

const KEY_SCHEMA = { type: 'string', minLength: 1 };
/** Descriptions of path parameters without validators, which are keys of the ledger. */
const PATH_KEYS: Readonly<Record<string, string>> = {
  transaction_id: 'Payment key of the transaction. Case-sensitive.',
  paykey: 'Payment key of the transaction. Case-sensitive.',
  preKey: 'Key of the recurring payment. Case-sensitive.',
  id: 'Id of the webhook endpoint.',
};

export function parametersOf(operation: Documented): (Parameter | Reference)[] {
  const sent = operation.example?.parameters ?? {};
  return [
    ...inPath(operation.path, fieldsFrom(operation, 'path')),
    ...fieldsFrom(operation, 'query').map((field) => parameterOf(field, 'query')),
    ...(operation.hasETag ? [REQUEST_HEADERS['If-None-Match']] : []),
    REQUEST_HEADERS['X-Request-Id'],
  ].map((parameter) =>
    parameter.in === 'header'
      ? refTo('parameters', parameter.name)
      : { ...parameter, example: exampleOf(parameter, sent[parameter.name]) ?? parameter.example },
  );
}

function inPath(path: string, fields: readonly Field[]): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const field = fields.find((known) => known.name === name);
    if (field !== undefined) return { ...parameterOf(field, 'path'), required: true };
    const description = PATH_KEYS[name];
    return { name, in: 'path', required: true, description, schema: KEY_SCHEMA };
  });
}

function parameterOf(field: Field, place: 'path' | 'query'): Parameter {
  const { name, required, description, schema, example } = field;
  return { name, in: place, required, description, schema, example };
}

function exampleOf({ schema }: Parameter, sent: string | undefined): string | number | undefined {
  return sent !== undefined && schema.type === 'integer' ? Number(sent) : sent;
}

function fieldsFrom({ inputs }: RoutedOperation, place: RequestInput['from']): Field[] {
  return inputs.filter(({ from }) => from === place).flatMap(({ type }) => fieldsOf(type));
}

export function bodyOf({ inputs, isLenient, description, example }: Documented) {
  const { id, records } = description;
  if (records !== undefined) return recordsBodyOf(id, example);
  const body = inputs.find(isBody);
  if (body === undefined) return undefined;
  const { type } = body;
  const form = { schema: refTo('schemas', hasOwnForm(type) ? formNameOf(type) : type.name) };
  return {
    required: !isLenient,
    description: isLenient ? LENIENT_BODY : STRICT_BODY,
    content: {
      [JSON_MEDIA]: { schema: refTo('schemas', type.name), example: example?.body },
      [FORM]: form,
      ...(isLenient ? { [MULTIPART]: form } : {}),
    },
  };
}

/** Returns a body of records, as JSON or as one record per line. */
function recordsBodyOf(id: string, example: Example | undefined) {
  const sent = Array.isArray(example?.body) ? example.body : [];
  const lines = sent.map((record) => `${JSON.stringify(record)}\n`).join('');
  const schema = {
    type: 'string',
    description: 'One record on each line, as JSON without line breaks.',
  };
  return {
    required: true,
    description:
      'Records of the ledger format, in UTF-8. `Content-Encoding: gzip` is supported. Unknown fields are ignored.',
    content: {
      [JSON_MEDIA]: { schema: refTo('schemas', recordsNameOf(id)), example: example?.body },
      [NDJSON_MEDIA]: { schema, example: lines === '' ? undefined : lines },
    },
  };
}

function recordsNameOf(id: string): string {
  return `${capitalized(id)}Body`;
}

export function bodySchemasOf(operations: readonly RoutedOperation[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const { id, records } of operations.map(({ description }) => description)) {
    if (records === undefined) continue;
    const oneOf = records.map((name) => refTo('schemas', name));
    schemas[recordsNameOf(id)] = { oneOf: [{ type: 'array', items: { oneOf } }, ...oneOf] };
  }
  for (const { type } of operations.flatMap(({ inputs }) => inputs.filter(isBody))) {
    schemas[type.name] = jsonBodyOf(type);
    if (hasOwnForm(type)) schemas[formNameOf(type)] = formBodyOf(type);
  }
  return schemas;
}

function isBody({ from }: RequestInput): boolean {
  return from === 'body';
}

/** Returns whether the form differs from the JSON body, because it clears fields in another way. */
function hasOwnForm(type: Type<object>): boolean {
  return fieldsOf(type).some(({ nullable }) => nullable);
}

function formNameOf({ name }: Type<object>): string {
  return `${name}Form`;
}
