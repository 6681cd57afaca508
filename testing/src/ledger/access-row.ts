/** Access level of a key. */
export type Access = 'full' | 'read' | 'masked' | 'source';

/**
 * The users who send requests: two vendors, a user who is only an affiliate, and a suspended
 * vendor.
 */
export const USERS = { vendor: 1, other: 2, affiliate: 3, suspended: 4 } as const;
export type Who = keyof typeof USERS;

/**
 * Owner of the product, transaction or subscription that a request names; `nobody` means that it
 * does not exist.
 */
export type Whose = Who | 'nobody';

export const PRODUCT: Readonly<Record<Whose, number>> = {
  vendor: 10,
  other: 20,
  affiliate: 999,
  suspended: 40,
  nobody: 999,
};

/**
 * The thing that the path of an operation names. It decides the response to a key that may not see
 * it: code 4012 for the product of another vendor, and for a transaction, a subscription or a
 * customer code 4040, as if it did not exist.
 */
export type Named = 'product' | 'transaction' | 'subscription' | 'customer' | 'nothing';

/** Access levels of most operations that read, and of most that write. */
export const READING: readonly Access[] = ['full', 'read', 'masked'];
export const WRITING: readonly Access[] = ['full'];

/** Describes one operation to the checks. */
export interface Row<Names extends string = Named> {
  /** Method and path as the version lists them, such as `GET /extensions/notes/v1/notes`. */
  readonly operation: string;
  /**
   * Returns the path that names the thing of this user: the product `PRODUCT[whose]`, or what
   * `transactionOf`, `subscriptionOf` and `customerOf` return. If the path names nothing, it is the
   * same for all users.
   */
  readonly path: (whose: Whose) => string;
  readonly names: Names;
  /** Access levels whose keys may use the operation; all others get code 4030. */
  readonly allows: readonly Access[];
  /** A valid body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Names of all fields of the body; those of `body` by default. */
  readonly fields?: readonly string[];
  /** Names of all query parameters; those of `path` by default. */
  readonly query?: readonly string[];
  /**
   * Fields, query parameters and parameters of the path that take any text, which answers may
   * contain. Every other input must reject a hostile text.
   */
  readonly texts?: readonly string[];
  /**
   * Fields of the body that take the e-mail address of a customer. The checks send `customerOf` of
   * the caller in them.
   */
  readonly emails?: readonly string[];
  /**
   * True if the answer to a full key, or a text that the operation stores, has personal data of a
   * customer. It must be masked, and erased with the customer.
   */
  readonly personal?: boolean;
}

/** Returns the id of a user's transaction. */
export function transactionOf(whose: Whose): string {
  return `of-${whose}`;
}

/** Returns the key of a user's subscription. */
export function subscriptionOf(whose: Whose): string {
  return `pre-of-${whose}`;
}

/** Returns the method of an operation. */
export function methodOf({ operation }: Pick<Row, 'operation'>): string {
  return operation.slice(0, operation.indexOf(' '));
}
