/** A request as Postman sends it, without optional headers and parameters that are disabled. */
export interface PostmanRequest {
  readonly name: string;
  readonly method: string;
  /** URL with the names of its variables. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Values of the path parameters. */
  readonly inPath: readonly { readonly key: string; readonly value: string }[];
  /** HTTP status of each saved response. */
  readonly answers: readonly number[];
  /** The scripts that Postman runs before and after the request; empty if there are none. */
  readonly before: string;
  readonly after: string;
}

export interface PostmanCollection {
  readonly variables: Readonly<Record<string, string>>;
  readonly auth: { readonly type: string; readonly username: string; readonly password: string };
  readonly requests: readonly PostmanRequest[];
}

/** Reads a collection with Postman's own package. */
export function importCollection(text: string): PostmanCollection;

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Runs requests as Postman's runner does, with scripts and with variables that scripts change. */
export class CollectionRun {
  constructor(variables: Readonly<Record<string, string>>);
  /** @returns the request with its values, or null if the script before it skips it */
  sent(request: PostmanRequest): SentRequest | null;
  /** Runs the script after the request. */
  answered(
    request: PostmanRequest,
    answer: { readonly status: number; readonly text: string },
  ): void;
}
