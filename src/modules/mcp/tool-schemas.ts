import { readFileSync } from 'node:fs';
import type { JSONObject, JSONValue } from '@modelcontextprotocol/server';
import type { CoreVersion } from '../../api/versions/api-versions.js';
import { documentFile } from '../../platform/openapi/document-files.js';
import { isRecord } from '../../platform/values/is-record.js';
import type { ReadingTool } from './tools.js';

/** Describes a parameter of a tool. */
export interface ToolParameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly isRequired: boolean;
  /** JSON Schema of its value. */
  readonly schema: JSONObject;
}

/** Selects results of an operation that has no pages of its own. */
export const OFFSET = 'offset';
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

  private document(version: CoreVersion): unknown {
    const known = this.documents.get(version);
    if (known !== undefined) return known;
    const read: unknown = JSON.parse(readFileSync(documentFile(version), 'utf8'));
    this.documents.set(version, read);
    return read;
  }
}

/** Returns the input schema of a tool with these parameters. */
export function inputSchemaOf(parameters: readonly ToolParameter[]) {
  return {
    type: 'object' as const,
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Returns the parameter that selects results of an operation without pages. */
export function offsetParameter(): ToolParameter {
  return { name: OFFSET, place: 'query', isRequired: false, schema: OFFSET_SCHEMA };
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
