/** A request as Postman sends it: optional headers and parameters that are switched off are left out. */
export interface PostmanRequest {
  readonly name: string;
  readonly method: string;
  /** With the values of its variables in their places. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The values of the parameters in its path. */
  readonly inPath: readonly { readonly key: string; readonly value: string }[];
  /** The HTTP status of each saved answer. */
  readonly answers: readonly number[];
}

export interface PostmanCollection {
  readonly variables: Readonly<Record<string, string>>;
  readonly auth: { readonly type: string; readonly username: string; readonly password: string };
  readonly requests: readonly PostmanRequest[];
}

/** Reads a collection with Postman's own package. */
export function importCollection(
  text: string,
  variables: Readonly<Record<string, string>>,
): PostmanCollection;
