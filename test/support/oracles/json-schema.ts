/**
 * Checks responses against the schemas of their operations. It supports the keywords of JSON Schema
 * that these use.
 */
import { readFileSync } from 'node:fs';
import { slugOf, VERSIONS, type CoreVersion } from '../../../src/api/versions/api-versions.js';
import { schemaFiles } from '../../../src/platform/openapi/document-files.js';

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Kinds {
  readonly $defs: Readonly<Record<string, Schema>>;
}

const KEYWORDS = new Set([
  '$ref',
  'description',
  'examples',
  'type',
  'const',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'items',
  'properties',
  'required',
]);
const REFERENCE = '#/$defs/';

/**
 * The schemas of one version's responses, such as `openapi/schemas/v2.1.json`. The schemas allow
 * additional fields, so that fields can be added later. This check reports them as faults.
 */
export class AnswerSchemas {
  private readonly kinds: Kinds['$defs'];

  constructor(version: CoreVersion) {
    const kinds = schemaFiles(version).flatMap((file) => Object.entries(readKinds(file)));
    this.kinds = Object.fromEntries(kinds);
  }

  /** Returns the service's own operations with a schema, such as `GET /v2.1/products/names`. */
  operations(): string[] {
    return Object.keys(this.kinds).filter((name) => name.includes(' '));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.kinds, name);
  }

  /**
   * Returns every place where a body differs from a schema of this version.
   * @param name an operation, or `failure`
   */
  faults(name: string, body: unknown): string[] {
    return this.check(body, this.named(name), '$');
  }

  private named(name: string): Schema {
    const schema = this.kinds[name];
    if (schema === undefined) throw new Error(`there is no schema of ${name}`);
    return schema;
  }

  private check(value: unknown, schema: Schema, path: string): string[] {
    for (const keyword of Object.keys(schema)) {
      if (!KEYWORDS.has(keyword)) throw new Error(`a keyword that is not checked: ${keyword}`);
    }
    if (schema.$ref !== undefined) {
      const [file = '', name = ''] = schema.$ref.split(REFERENCE);
      const definer = file === '' ? this : new AnswerSchemas(versionOf(file));
      const target = definer.named(name);
      return schema.properties === undefined
        ? definer.check(value, target, path)
        : this.check(value, extended(target, schema), path);
    }
    const faults = [...typeFaults(value, schema), ...valueFaults(value, schema)];
    return [
      ...faults.map((fault) => `${path}: ${fault}`),
      ...this.itemFaults(value, schema, path),
      ...this.propertyFaults(value, schema, path),
    ];
  }

  private itemFaults(value: unknown, { items, ...bounds }: Schema, path: string): string[] {
    if (!Array.isArray(value)) return [];
    const { minItems = 0, maxItems = Infinity } = bounds;
    const isOutside = value.length < minItems || value.length > maxItems;
    return [
      ...(isOutside ? [`${path}: ${value.length} items`] : []),
      ...(items === undefined
        ? []
        : value.flatMap((item: unknown, at) => this.check(item, items, `${path}[${at}]`))),
    ];
  }

  private propertyFaults(value: unknown, schema: Schema, path: string): string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    const { properties, required = [] } = schema;
    if (properties === undefined) return [];
    const found = new Map<string, unknown>(Object.entries(value));
    const extra = [...found.keys()].filter((name) => !Object.hasOwn(properties, name));
    return [
      ...required.filter((name) => !found.has(name)).map((name) => `${path}.${name}: missing`),
      ...extra.map((name) => `${path}.${name}: extra`),
      ...Object.entries(properties)
        .filter(([name]) => found.has(name))
        .flatMap(([name, property]) => this.check(found.get(name), property, `${path}.${name}`)),
    ];
  }
}

/** Returns an object with the properties of another one and properties of its own. */
function extended(base: Schema, { $ref: _, ...own }: Schema): Schema {
  return {
    ...base,
    ...own,
    required: [...(base.required ?? []), ...(own.required ?? [])],
    properties: { ...base.properties, ...own.properties },
  };
}

function readKinds(file: URL): Kinds['$defs'] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Kinds).$defs;
}

function typeFaults(value: unknown, { type }: Schema): string[] {
  if (type === undefined) return [];
  const wanted = [type].flat();
  const found = typesOf(value);
  return found.some((name) => wanted.includes(name)) ? [] : [`no ${wanted.join(' or ')}`];
}

function typesOf(value: unknown): string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isSafeInteger(value) ? ['integer', 'number'] : [typeof value];
}

function valueFaults(value: unknown, schema: Schema): string[] {
  const { const: only, enum: words, pattern, minimum = -Infinity, maximum = Infinity } = schema;
  const allowed = only === undefined ? words : [only];
  const shown = JSON.stringify(value);
  const faults: string[] = [];
  if (allowed !== undefined && !allowed.some((word) => word === value)) {
    faults.push(`${shown} is none of ${JSON.stringify(allowed)}`);
  }
  if (pattern !== undefined && typeof value === 'string' && !new RegExp(pattern, 'u').test(value)) {
    faults.push(`${shown} is not ${pattern}`);
  }
  if (typeof value === 'number' && (value < minimum || value > maximum)) {
    faults.push(`${shown} is out of bounds`);
  }
  return faults;
}

/** Returns the version that a file such as `v3.0.json` describes. */
function versionOf(file: string): CoreVersion {
  const version = VERSIONS.find((known) => file === `${slugOf(known)}.json`);
  if (version === undefined) throw new Error(`there is no version of ${file}`);
  return version;
}
