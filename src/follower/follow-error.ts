/** Error of a follower that cannot continue; the message contains the reason and a remedy. */
export class FollowError extends Error {}
