/**
 * Error for a call to another service that got no answer. The message is for users, such as `the
 * name was not found`.
 */
export class OutgoingError extends Error {}
