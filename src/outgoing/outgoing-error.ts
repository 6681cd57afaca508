/** A call to another service that got no answer. The message is for users: `the name was not found`. */
export class OutgoingError extends Error {}
