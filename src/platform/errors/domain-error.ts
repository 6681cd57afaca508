/** An error that is named after its class. */
export class NamedError extends Error {
  override readonly name: string = this.constructor.name;
}

/**
 * A service rejects what a caller wants. The message tells the caller why. Commands print it and
 * end with exit status 1.
 */
export class DomainError extends NamedError {}

/** An error that prevents the start. The message tells the operator in one line how to fix it. */
export class StartError extends NamedError {}
