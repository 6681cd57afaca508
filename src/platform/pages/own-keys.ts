/** Names of the access levels of keys, as pages show them. */
export const ACCESS_NAMES = {
  full: 'Read and write',
  read: 'Read only',
  masked: 'Read only, without personal data',
  source: 'Source',
} as const;

/** An API application of a user, without its key. */
export interface OwnApplication {
  readonly id: number;
  readonly name: string;
}

/** Knows whose keys can call the API. A feature provides it. */
export abstract class OwnKeys {
  /** Returns the applications of a user whose keys work, the newest first. */
  abstract applicationsOf(user_id: number): Promise<readonly OwnApplication[]>;
}
