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

export function refTo(section: string, name: string): Reference {
  return { $ref: `#/components/${section}/${name}` };
}
