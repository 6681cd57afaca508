import { readFileSync } from 'node:fs';
import type { CoreVersion, ExtensionVersion } from '../../api/versions/api-versions.js';
import { isRecord } from '../values/is-record.js';
import { schemaFiles, SCHEMA_FOLDER, SHARED_SCHEMAS } from './document-files.js';
import { refTo, type Schema } from './open-api.model.js';

/**
 * JSON Schemas of a version, by the name of an operation (`GET /v2.1/products/names`) or of an
 * object.
 */
export type AnswerSchemas = ReadonlyMap<string, Schema>;

const REFERENCE = '#/$defs/';
/**
 * Matches a reference within a file, or to a definition of another version:
 * `v3.0.json#/$defs/transaction`.
 */
const REFERENCES = /"\$ref":"([\w.-]*)#\/\$defs\/(\w+)"/g;

/**
 * Reads the schemas of a version. Objects remain references; value types are inlined, so that each
 * property shows its type, description and example.
 * @throws Error that names a property without a description or an example
 */
export function readAnswerSchemas(version: CoreVersion): AnswerSchemas {
  const definitions = new Map<string, unknown>();
  for (const file of schemaFiles(version)) {
    for (const [name, definition] of Object.entries(readDefinitions(file))) {
      if (definitions.has(name)) throw new Error(`${file.href} defines ${name} a second time`);
      definitions.set(name, definition);
    }
  }
  for (const { file, name } of referencesIn([...definitions.values()])) {
    if (file !== '') adopt(definitions, new URL(file, SCHEMA_FOLDER), name);
  }
  return new Definitions(Object.fromEntries(definitions)).objects();
}

/**
 * Returns the schemas of answers of an extension, by operation: the envelope, with results as the
 * operations describe them.
 */
export function extensionSchemas(
  version: ExtensionVersion,
  results: ReadonlyMap<string, Schema>,
): AnswerSchemas {
  const shared = readDefinitions(SHARED_SCHEMAS);
  const names = ['success', 'outcome', 'resultsCount', 'servedVersion', 'count', 'failure'];
  const used = Object.entries(shared).filter(([name]) => names.includes(name));
  const definitions = { ...Object.fromEntries(used), apiVersion: { const: version } };
  const answers = Array.from(results, ([name, items]): [string, Schema] => {
    const properties = { meta: refTo('schemas', 'success'), results: { type: 'array', items } };
    return [name, { type: 'object', required: ['meta', 'results'], properties }];
  });
  return new Map([...new Definitions(definitions).objects(), ...answers]);
}

/** Adds a definition of another version, and the definitions that it refers to. */
function adopt(definitions: Map<string, unknown>, file: URL, name: string): void {
  if (definitions.has(name)) return;
  const definition = readDefinitions(file)[name];
  definitions.set(name, definition);
  for (const reference of referencesIn(definition)) adopt(definitions, file, reference.name);
}

function referencesIn(value: unknown): { readonly file: string; readonly name: string }[] {
  const found = JSON.stringify(value).matchAll(REFERENCES);
  return Array.from(found, ([, file = '', name = '']) => ({ file, name }));
}

function readDefinitions(file: URL): Record<string, unknown> {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(content) || !isRecord(content.$defs)) throw new Error(`${file.href} has no $defs`);
  return content.$defs;
}

class Definitions {
  constructor(private readonly definitions: Readonly<Record<string, unknown>>) {}

  objects(): AnswerSchemas {
    const names = Object.keys(this.definitions).filter((name) => isObject(this.named(name)));
    return new Map(names.map((name) => [name, this.resolved(this.named(name), name)]));
  }

  private named(name: string): Schema {
    const definition = this.definitions[name];
    if (!isRecord(definition)) throw new Error(`openapi/schemas has no ${name}`);
    const target = this.target(definition);
    return target !== null && isObject(definition)
      ? extended(target.definition, definition)
      : definition;
  }

  private target({ $ref }: Schema): { readonly name: string; readonly definition: Schema } | null {
    if (typeof $ref !== 'string') return null;
    const name = $ref.slice($ref.indexOf(REFERENCE) + REFERENCE.length);
    return { name, definition: this.named(name) };
  }

  /** @param path path of the schema, for error messages */
  private resolved(schema: Schema, path: string): Schema {
    const target = this.target(schema);
    if (target !== null) {
      if (isObject(target.definition)) return { ...refTo('schemas', target.name) };
      const own = Object.entries(schema).filter(([keyword]) => keyword !== '$ref');
      return { ...this.resolved(target.definition, path), ...Object.fromEntries(own) };
    }
    const { properties, items } = schema;
    return {
      ...schema,
      ...(isRecord(properties) && { properties: this.propertiesIn(properties, path) }),
      ...(isRecord(items) && { items: this.resolved(items, `${path}[]`) }),
    };
  }

  private propertiesIn(properties: Schema, path: string): Schema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const at = `${path}.${name}`;
        if (!isRecord(property)) throw new Error(`openapi/schemas: ${at} is not a schema`);
        const description = this.descriptionOf(property);
        if (description === '') throw new Error(`openapi/schemas: ${at} has no description`);
        const examples = this.examplesOf(property, at);
        return [name, { ...this.resolved(property, at), description, examples }];
      }),
    );
  }

  /** Returns the property's own description, followed by the format and unit of its value type. */
  private descriptionOf(schema: Schema): string {
    const target = this.target(schema);
    const own = typeof schema.description === 'string' ? [schema.description] : [];
    if (target === null) return own.join(' ');
    const ofTarget = this.descriptionOf(target.definition);
    if (isObject(target.definition)) return own[0] ?? ofTarget;
    return [...own, ...(ofTarget === '' ? [] : [ofTarget])].join(' ');
  }

  /**
   * Returns the examples of a schema. Those of an object or a list are built from those of its
   * parts.
   */
  private examplesOf(schema: Schema, path: string): unknown[] {
    const { examples, properties, items, type } = schema;
    if (Array.isArray(examples)) return examples;
    if ('const' in schema) return [schema.const];
    const target = this.target(schema);
    if (target !== null) return this.examplesOf(target.definition, path);
    if (isRecord(items)) return [[this.examplesOf(items, path)[0]]];
    if (!isRecord(properties)) throw new Error(`openapi/schemas: ${path} has no examples`);
    const whole = Object.entries(properties).map(([name, property]) => [
      name,
      isRecord(property) ? this.examplesOf(property, `${path}.${name}`)[0] : undefined,
    ]);
    const isNullable = Array.isArray(type) && type.includes('null');
    return [Object.fromEntries(whole), ...(isNullable ? [null] : [])];
  }
}

/** Returns an object with the properties of another one and properties of its own. */
function extended(base: Schema, { $ref: _, ...own }: Schema): Schema {
  const properties = [base.properties, own.properties].filter((each) => isRecord(each));
  const required = [base.required, own.required].filter((each) => Array.isArray(each));
  return {
    ...base,
    ...own,
    required: required.flat(),
    properties: Object.assign({}, ...properties),
  };
}

function isObject({ properties }: Schema): boolean {
  return isRecord(properties);
}
