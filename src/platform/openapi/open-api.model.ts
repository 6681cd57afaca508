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

export function refTo(section: string, name: string): Reference {
  return { $ref: `#/components/${section}/${name}` };
}
