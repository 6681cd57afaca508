/** Results that are JSON already, in bytes: each, with commas between, as they stand in `results`. */
export abstract class JsonResults {
  abstract readonly count: number;
  abstract readonly byteLength: number;

  /** @returns the position after the last byte */
  abstract writeTo(target: Buffer, position: number): number;
}
