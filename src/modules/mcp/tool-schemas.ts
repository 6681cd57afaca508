import { readFileSync } from 'node:fs';
import type { JSONObject, JSONValue } from '@modelcontextprotocol/server';
import type { CoreVersion } from '../../api/versions/api-versions.js';
import { documentFile } from '../../platform/openapi/document-files.js';
import { isRecord } from '../../platform/values/is-record.js';
import type { ReadingTool, Tool } from './tools.js';

/** Describes a parameter of a tool. */
export interface ToolParameter {
  readonly name: string;
  /** Names the part of the request that has it; `tool` is for a parameter of the tool itself. */
  readonly place: 'path' | 'query' | 'body' | 'tool';
  readonly isRequired: boolean;
  /** JSON Schema of its value. */
  readonly schema: JSONObject;
}

/** Selects results of an operation that has no pages of its own. */
export const OFFSET = 'offset';
const JSON_TYPE = 'application/json';
const OFFSET_SCHEMA = {
  type: 'integer',
  minimum: 0,
  maximum: 10_000_000,
  default: 0,
  description:
    'Number of results to leave out at the beginning: the `next_offset` of the last answer.',
} as const;

/** Reads the OpenAPI documents, each once. */
export class OperationDescriptions {
  private readonly documents = new Map<CoreVersion, unknown>();

  /**
   * Returns the parameters of the operation of a tool, from its OpenAPI description.
   * @throws Error if there is no such operation
   */
  parametersOf({ operation, without = [] }: ReadingTool): ToolParameter[] {
    const { version, path } = operation;
    const parameters = at(this.document(version), ['paths', path, 'get', 'parameters']);
    if (!Array.isArray(parameters)) throw new Error(`there is no operation GET ${path}`);
    return parameters.flatMap(readParameter).filter(({ name }) => !without.includes(name));
  }

  /**
   * Returns the parameters in the path and the body of the operation that changes something.
   * @throws Error if there is no such operation
   */
  writtenBy({ operation: { version, path } }: Tool): ToolParameter[] {
    const document = this.document(version);
    const put = at(document, ['paths', path, 'put']);
    const parameters = at(put, ['parameters']);
    if (!Array.isArray(parameters)) throw new Error(`there is no operation PUT ${path}`);
    const body = at(put, ['requestBody', 'content', JSON_TYPE, 'schema']);
    return [...parameters.flatMap(readParameter), ...fieldsOf(resolved(document, body))];
  }

  private document(version: CoreVersion): unknown {
    const known = this.documents.get(version);
    if (known !== undefined) return known;
    const read: unknown = JSON.parse(readFileSync(documentFile(version), 'utf8'));
    this.documents.set(version, read);
    return read;
  }
}

/** A tool with the parameters that it takes. */
export interface ToolWithParameters<Declared extends Tool> {
  readonly tool: Declared;
  readonly parameters: readonly ToolParameter[];
}

/** Returns a tool as `tools/list` shows it. */
export function listed<Hints extends object>(
  { tool: { name, title, description }, parameters }: ToolWithParameters<Tool>,
  hints: Hints,
) {
  const inputSchema = inputSchemaOf(parameters);
  const annotations = { title, ...hints, openWorldHint: false };
  return { name, title, description, inputSchema, annotations };
}

/** Returns the input schema of a tool with these parameters. */
function inputSchemaOf(parameters: readonly ToolParameter[]) {
  return {
    type: 'object' as const,
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Returns the parameter that selects results of an operation without pages. */
export function offsetParameter(): ToolParameter {
  return { name: OFFSET, place: 'tool', isRequired: false, schema: OFFSET_SCHEMA };
}

function readParameter(parameter: unknown): ToolParameter[] {
  if (!isRecord(parameter)) return [];
  const { name, in: place, required, description, schema } = parameter;
  if (!isJsonObject(schema)) return [];
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return [];
  return [
    {
      name,
      place,
      isRequired: required === true,
      schema: typeof description === 'string' ? { ...schema, description } : schema,
    },
  ];
}

/** Returns the fields of a JSON body. */
function fieldsOf(schema: unknown): ToolParameter[] {
  const required = at(schema, ['required']);
  const fields = at(schema, ['properties']);
  if (!isJsonObject(fields)) throw new Error('an operation has no body');
  return Object.entries(fields).flatMap(([name, field]): ToolParameter[] => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return isJsonObject(field) ? [{ name, place: 'body', isRequired, schema: field }] : [];
  });
}

/** Returns a schema, or the one that it refers to. */
function resolved(document: unknown, schema: unknown): unknown {
  const reference = at(schema, ['$ref']);
  return typeof reference === 'string' ? at(document, reference.split('/').slice(1)) : schema;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);
}

function isJsonObject(value: unknown): value is JSONObject {
  return isRecord(value) && Object.values(value).every(isJson);
}

function isJson(value: unknown): value is JSONValue {
  if (Array.isArray(value)) return value.every(isJson);
  return (
    value === null || ['string', 'number', 'boolean'].includes(typeof value) || isJsonObject(value)
  );
}
