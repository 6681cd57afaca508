/**
 * A service rejects what a caller wants. The message tells the caller why. Commands print it and end
 * with exit status 1.
 */
export class DomainError extends Error {
  override readonly name: string = this.constructor.name;
}
