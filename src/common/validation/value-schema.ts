/** The part of JSON Schema that the validators need. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer';
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** The context of a validator, from which OpenAPI takes its limits. */
export class Allowed {
  /**
   * @param says what a value must be, as in the error message
   * @param isOptional true if a missing value is accepted, too
   */
  constructor(
    readonly says: string,
    readonly schema: ValueSchema,
    readonly isOptional = false,
  ) {}
}
