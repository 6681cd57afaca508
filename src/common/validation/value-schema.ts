/** Describes a value with the part of JSON Schema that the validators need. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer';
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Holds the context of a validator. OpenAPI reads the limits of a value from it. */
export class Allowed {
  /**
   * Describes the values that a validator accepts.
   * @param says describes a valid value, as in the error message
   * @param isOptional true if a missing value is accepted, too
   */
  constructor(
    readonly says: string,
    readonly schema: ValueSchema,
    readonly isOptional = false,
  ) {}
}
