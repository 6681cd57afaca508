/** Results that are JSON already, in bytes: each, with commas between, as they stand in `results`. */
export abstract class JsonResults {
  abstract readonly count: number;
  abstract readonly byteLength: number;

  /** @returns the position after the last byte */
  abstract writeTo(target: Buffer, position: number): number;
}

/** Results that are too many bytes to be in memory together. They are read while the client takes them. */
export abstract class JsonPieces {
  abstract readonly count: number;

  /** JSON of some results each, with commas between. To be read once. */
  abstract pieces(): AsyncGenerator<Buffer>;
}
