/** Reads the committed OpenAPI documents. */
import { readFileSync } from 'node:fs';
import { fileOfVersion } from './operations.js';

const JSON_MEDIA = 'application/json';

export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: ValueSchema;
  readonly example?: unknown;
}

/** An example that all operations share, or one of a single operation. */
interface FailureExample {
  readonly $ref?: string;
  readonly value?: unknown;
}

interface MediaType {
  readonly schema: { readonly $ref: string };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, FailureExample>>;
}

export interface ApiOperation {
  readonly operationId: string;
  /** Present only if the operation needs no key. */
  readonly security?: readonly [];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers: Readonly<Record<string, unknown>>;
        readonly content?: Readonly<Record<string, MediaType>>;
      }
    >
  >;
}

export interface ObjectSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, ValueSchema>>;
}

/** One document with its text. */
export class ApiDocument {
  readonly json: {
    readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
    readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };

  /** @param text the committed text by default */
  constructor(
    readonly version: string,
    readonly text = committedText(version),
  ) {
    this.json = JSON.parse(this.text) as ApiDocument['json'];
  }

  /** Returns the operations by name, such as `GET /v2.1/products/names`. */
  operations(): Map<string, ApiOperation> {
    return new Map(
      Object.entries(this.json.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]): [string, ApiOperation] => [
          `${method.toUpperCase()} ${path}`,
          operation,
        ]),
      ),
    );
  }

  operation(name: string): ApiOperation {
    const operation = this.operations().get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return operation;
  }

  /** Returns the target of a `$ref`, or undefined. */
  resolve(ref: string): unknown {
    const [root, section = '', name = '', ...more] = ref.split('/').slice(1);
    if (root !== 'components' || more.length > 0) return undefined;
    return this.json.components[section]?.[name];
  }

  /** Returns the example responses of an operation for a status, by their codes. */
  failures(operation: ApiOperation, status: string): [code: string, answer: unknown][] {
    const examples = operation.responses[status]?.content?.[JSON_MEDIA]?.examples ?? {};
    return Object.entries(examples).map(([code, { $ref, value }]) => [
      code,
      $ref === undefined ? value : (this.resolve($ref) as FailureExample).value,
    ]);
  }

  /** Returns the schema of an operation's request body. */
  bodyOf(name: string, type: string): ObjectSchema {
    const ref = this.operation(name).requestBody?.content[type]?.schema.$ref ?? '';
    return this.resolve(ref) as ObjectSchema;
  }
}

function committedText(version: string): string {
  const file = new URL(`../../../openapi/${fileOfVersion(version)}.json`, import.meta.url);
  return readFileSync(file, 'utf8');
}

/** All query parameters and body fields of the documents, with their example values. */
export class DocumentedRequests {
  private readonly query = new Set<string>();
  private readonly fields = new Set<string>();
  private readonly shown: Record<string, readonly string[]> = {};

  constructor(versions: readonly string[]) {
    for (const version of versions) {
      const document = new ApiDocument(version);
      for (const operation of document.operations().values()) this.add(document, operation);
    }
  }

  private add(document: ApiDocument, { parameters, requestBody }: ApiOperation): void {
    for (const { name, in: place, example } of parameters) {
      if (place === 'query') this.query.add(name);
      this.shown[name] = [String(example)];
    }
    const body = requestBody?.content[JSON_MEDIA];
    if (body === undefined) return;
    // Lists of records have tests of their own.
    if (Array.isArray(body.example)) return;
    const { properties } = document.resolve(body.schema.$ref) as ObjectSchema;
    for (const name of Object.keys(properties)) this.fields.add(name);
    for (const [name, value] of Object.entries(body.example ?? {})) {
      this.shown[name] = [String(value)];
    }
  }

  /** @param values values of a ledger that replace the examples */
  with(values: Readonly<Record<string, readonly string[]>>) {
    const [query, fields] = [[...this.query], [...this.fields]];
    return { query, fields, values: { ...this.shown, ...values } };
  }
}

/** Returns every value of `$ref` in a document. */
export function refsIn(text: string): string[] {
  return [...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, ref = '']) => ref);
}

/** Returns a document without its examples, which are not generated from the code. */
export function withoutExamples(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    key === 'example' || key === 'examples' ? undefined : value,
  );
}

/** Returns values on both sides of each bound of a schema. */
export function edgesOf(schema: ValueSchema): {
  readonly taken: readonly (string | number)[];
  readonly refused: readonly (string | number)[];
} {
  const { minimum = 0, maximum = 0, maxLength = 0, format } = schema;
  if ([schema.type].flat().includes('integer')) {
    return { taken: [minimum, maximum], refused: [minimum - 1, maximum + 1, 'x', '1.5', '1e1'] };
  }
  if (schema.enum !== undefined) {
    return { taken: schema.enum, refused: ['x', ...schema.enum.map((word) => `${word}x`)] };
  }
  if (format === 'date') {
    return { taken: ['2024-02-29'], refused: ['2025-02-29', '20240229', '2024-2-29', 'x'] };
  }
  if (format === 'uri') {
    const longest = 'https://a.example/'.padEnd(maxLength, 'a');
    return { taken: ['http://a.example', longest], refused: [`${longest}a`, 'ftp://a.example'] };
  }
  throw new Error(`no bounds in ${JSON.stringify(schema)}`);
}
