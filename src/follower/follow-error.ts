/** A follower cannot go on; the message says why and what to do. */
export class FollowError extends Error {}
