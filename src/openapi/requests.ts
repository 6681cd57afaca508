import type { Type } from '@nestjs/common';
import type { Failure } from '../common/errors/catalogue.js';
import { DEEPEST, FORM } from '../server/middleware/body-fields.js';
import { BODY_KIB } from '../server/middleware/request-body.interceptor.js';
import { fieldsOf, formBodyOf, jsonBodyOf, type Field } from './fields.js';
import { REQUEST_HEADERS } from './headers.js';
import {
  refTo,
  type Parameter,
  type Reference,
  type RequestBody,
  type Schema,
} from './open-api.model.js';
import type { RequestInput } from '../common/validation/request-inputs.js';
import type { RoutedOperation } from './routed-operations.js';

/** A call of the demo ledger, and what it and wrong ones like it were answered. */
export interface Example {
  /** What was sent in the path and in the query. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: unknown;
  readonly failures: Readonly<Partial<Record<Failure, unknown>>>;
}

export const JSON_MEDIA = 'application/json';

const KEY_SCHEMA = { type: 'string', minLength: 1 };
/** The keys in a path, which are text of the ledger and have no checks (interface 4). */
const PATH_KEYS: Readonly<Record<string, string>> = {
  transaction_id: 'The key of the transaction, compared byte for byte.',
  paykey: 'The key of the transaction, compared byte for byte.',
  preKey: 'The key of the recurring payment, compared byte for byte.',
};

/** @param path as the interface writes it, since an optional parameter is not in each path */
export function parametersOf(
  operation: RoutedOperation,
  path: string,
  example: Example | undefined,
): (Parameter | Reference)[] {
  const sent = example?.parameters ?? {};
  return [
    ...inPath(path, fieldsFrom(operation, 'path')),
    ...fieldsFrom(operation, 'query').map((field) => parameterOf(field, 'query')),
    ...(operation.hasTag ? [REQUEST_HEADERS['If-None-Match']] : []),
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

function fieldsFrom({ takes }: RoutedOperation, place: RequestInput['from']): Field[] {
  return takes.filter(({ from }) => from === place).flatMap(({ type }) => fieldsOf(type));
}

export function bodyOf({ takes }: RoutedOperation, example?: Example): RequestBody | undefined {
  const body = takes.find(isBody);
  if (body === undefined) return undefined;
  const { type } = body;
  return {
    required: true,
    description: `At most ${BODY_KIB} KiB, nested at most ${DEEPEST} deep. Fields that are not known are ignored. What is sent as a form and begins with \`{\` is read as JSON.`,
    content: {
      [JSON_MEDIA]: { schema: refTo('schemas', type.name), example: example?.body },
      [FORM]: { schema: refTo('schemas', hasOwnForm(type) ? formNameOf(type) : type.name) },
    },
  };
}

/** The schemas of all bodies, by their names. */
export function bodySchemasOf(operations: readonly RoutedOperation[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  for (const { type } of operations.flatMap(({ takes }) => takes.filter(isBody))) {
    schemas[type.name] = jsonBodyOf(type);
    if (hasOwnForm(type)) schemas[formNameOf(type)] = formBodyOf(type);
  }
  return schemas;
}

function isBody({ from }: RequestInput): boolean {
  return from === 'body';
}

/** A form says otherwise than JSON what is to be cleared. */
function hasOwnForm(type: Type<object>): boolean {
  return fieldsOf(type).some(({ nullable }) => nullable);
}

function formNameOf({ name }: Type<object>): string {
  return `${name}Form`;
}
