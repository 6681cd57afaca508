/**
 * The notice of the first sign-in from a network has one of these states: there is no notice, it is
 * open, or a session of that network has dismissed it.
 */
export type NoticeState = 'none' | 'open' | 'dismissed_there';

/** A sign-in place describes where a browser signs in. */
export interface SignInPlace {
  /** Network of the address: a /24 of IPv4 or a /64 of IPv6. */
  readonly network: string;
  readonly address: string;
  /** Browser and system, in words. */
  readonly device: string;
}

export interface SignInNetwork extends SignInPlace {
  /**
   * Time of the first sign-in from the network, in UTC. `address` and `device` belong to it, too.
   */
  readonly noticed: string;
}

/** A notice reader is a session that shows notices. */
export interface NoticeReader {
  readonly user_id: number;
  /**
   * Network of the session. Undefined if the session began with a previous version of the service.
   */
  readonly network: string | undefined;
  /** True if the notice of this network is about the session itself. */
  readonly isNews: boolean;
}
