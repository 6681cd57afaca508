/**
 * Holds results that are already JSON, in bytes, as they appear in `results`: with commas between
 * them.
 */
export abstract class JsonResults {
  abstract readonly count: number;
  abstract readonly byteLength: number;

  /**
   * Writes the results.
   * @returns the position after the last byte
   */
  abstract writeTo(target: Buffer, position: number): number;
}

/** Reads results that are together too large for memory, while the client receives them. */
export abstract class JsonPieces {
  abstract readonly count: number;

  /**
   * Reads the results in pieces, each the JSON of some results with commas between them. It can be
   * called only once.
   */
  abstract pieces(): AsyncGenerator<Buffer>;
}
