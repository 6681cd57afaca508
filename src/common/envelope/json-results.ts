const COMMA = Buffer.from(',');

/** Results that are JSON already, in bytes, as they stand between the brackets of `results`. */
export class JsonResults {
  readonly chunks: Uint8Array[] = [];
  count = 0;

  /** @param parts of one result, in their order */
  add(...parts: readonly Uint8Array[]): void {
    if (this.count > 0) this.chunks.push(COMMA);
    this.chunks.push(...parts);
    this.count += 1;
  }
}
