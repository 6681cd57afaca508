/** A request as Postman sends it: optional headers and parameters that are switched off are left out. */
export interface PostmanRequest {
  readonly name: string;
  readonly method: string;
  /** With the names of its variables. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The values of the parameters in its path. */
  readonly inPath: readonly { readonly key: string; readonly value: string }[];
  /** The HTTP status of each saved answer. */
  readonly answers: readonly number[];
  /** The scripts that Postman runs before and after it; empty if there is none. */
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

/** Runs requests as Postman's runner does: with scripts, and with variables that scripts change. */
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
