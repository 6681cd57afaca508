/** Holds the content of a successful answer of an upstream. It is not checked yet. */
export interface UpstreamAnswer {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly results: readonly unknown[];
}
