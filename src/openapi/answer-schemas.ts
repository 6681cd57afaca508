import { readFileSync } from 'node:fs';
import type { ApiVersion } from '../common/api-versions.js';
import { isRecord } from '../common/validation/is-record.js';
import { schemaFiles } from './document-files.js';
import { refTo, type Schema } from './open-api.model.js';

/** What a version answers, by operation (`GET /v2.1/products/names`) and by the kinds of its objects. */
export type AnswerSchemas = ReadonlyMap<string, Schema>;

const REFERENCE = '#/$defs/';

/**
 * The schemas of a version as they stand in its document. Kinds of objects refer to each other; kinds
 * of values are written out where they are used, so that each property has its type beside its
 * description and its example.
 * @throws Error that names a property without a description or an example
 */
export function readAnswerSchemas(version: ApiVersion): AnswerSchemas {
  const kinds = new Map<string, unknown>();
  for (const file of schemaFiles(version)) {
    for (const [name, kind] of Object.entries(readKinds(file))) {
      if (kinds.has(name)) throw new Error(`${file.href} has a second schema of ${name}`);
      kinds.set(name, kind);
    }
  }
  return new Kinds(Object.fromEntries(kinds)).objects();
}

function readKinds(file: URL): Record<string, unknown> {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(content) || !isRecord(content.$defs)) throw new Error(`${file.href} has no $defs`);
  return content.$defs;
}

class Kinds {
  constructor(private readonly kinds: Readonly<Record<string, unknown>>) {}

  objects(): AnswerSchemas {
    const names = Object.keys(this.kinds).filter((name) => isObjectKind(this.named(name)));
    return new Map(names.map((name) => [name, this.resolved(this.named(name), name)]));
  }

  private named(name: string): Schema {
    const kind = this.kinds[name];
    if (!isRecord(kind)) throw new Error(`openapi/schemas has no ${name}`);
    return kind;
  }

  private target({ $ref }: Schema): { readonly name: string; readonly kind: Schema } | null {
    if (typeof $ref !== 'string') return null;
    const name = $ref.slice(REFERENCE.length);
    return { name, kind: this.named(name) };
  }

  /** @param path tells where the schema stands, for an error */
  private resolved(schema: Schema, path: string): Schema {
    const target = this.target(schema);
    if (target !== null) {
      if (isObjectKind(target.kind)) return { ...refTo('schemas', target.name) };
      const own = Object.entries(schema).filter(([keyword]) => keyword !== '$ref');
      return { ...this.resolved(target.kind, path), ...Object.fromEntries(own) };
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
        if (!isRecord(property)) throw new Error(`openapi/schemas: ${at} is no schema`);
        const description = this.descriptionOf(property);
        if (description === '') throw new Error(`openapi/schemas: ${at} has no description`);
        const examples = this.examplesOf(property, at);
        return [name, { ...this.resolved(property, at), description, examples }];
      }),
    );
  }

  /** What a property says of itself, and then what its kind says: its form and its unit. */
  private descriptionOf(schema: Schema): string {
    const target = this.target(schema);
    const own = typeof schema.description === 'string' ? [schema.description] : [];
    if (target === null) return own.join(' ');
    const ofKind = this.descriptionOf(target.kind);
    if (isObjectKind(target.kind)) return own[0] ?? ofKind;
    return [...own, ...(ofKind === '' ? [] : [ofKind])].join(' ');
  }

  /** Those of an object or a list are put together from those of its parts. */
  private examplesOf(schema: Schema, path: string): unknown[] {
    const { examples, properties, items, type } = schema;
    if (Array.isArray(examples)) return examples;
    if ('const' in schema) return [schema.const];
    const target = this.target(schema);
    if (target !== null) return this.examplesOf(target.kind, path);
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

function isObjectKind({ properties }: Schema): boolean {
  return isRecord(properties);
}
