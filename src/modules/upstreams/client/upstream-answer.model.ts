/** What an upstream answered with success (interface 2.1). Nothing in it is checked yet. */
export interface UpstreamAnswer {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly results: readonly unknown[];
}
