/**
 * A reference to a component. The types of this file are the part of OpenAPI 3.1 that this service
 * uses; JSON omits undefined properties.
 */

export interface Reference {
  readonly $ref: string;
}

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string | undefined;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: Reference | Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, object>>;
}

export interface RequestBody {
  readonly required: boolean;
  readonly description: string;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string | undefined;
  readonly parameters: readonly (Parameter | Reference)[];
  /** Empty if the operation needs no key; undefined if the document's requirement applies. */
  readonly security: readonly [] | undefined;
  readonly requestBody: RequestBody | undefined;
  readonly responses: Readonly<Record<string, Response>>;
}

/** Operations by path and lower-case method. */
export type Paths = Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Readonly<Record<string, string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly Readonly<Record<string, readonly never[]>>[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export function refTo(section: string, name: string): Reference {
  return { $ref: `#/components/${section}/${name}` };
}
