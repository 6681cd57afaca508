/** What a value may be, in the words of JSON Schema that the checks on parameters need. */
export interface ValueSchema {
  readonly type?: 'string' | 'integer';
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** Goes with a check as its context, so that the documents tell the bounds that the check holds. */
export class Allowed {
  /** @param says what a value must be, as a failure says it */
  constructor(
    readonly says: string,
    readonly schema: ValueSchema,
  ) {}
}
