/**
 * What is to be told of the first sign-in from a network: nothing; it is to be told; or it was dismissed,
 * but only by somebody who signed in from that network, too.
 */
export type NoticeState = 'none' | 'open' | 'dismissed_there';

/** Where a browser signs in. */
export interface SignInPlace {
  /** A /24 of IPv4 or a /64 of IPv6. */
  readonly network: string;
  readonly address: string;
  /** Browser and system, in words. */
  readonly device: string;
}

export interface SignInNetwork extends SignInPlace {
  /** When the first of these sign-ins was, in UTC. `address` and `device` are those of it, too. */
  readonly noticed: string;
}

/** A session that looks at notices. */
export interface NoticeReader {
  readonly user_id: number;
  /** Of the session; undefined if it began with a previous version. */
  readonly network: string | undefined;
  /** True if the notice of this network is about the session itself. */
  readonly isNews: boolean;
}
