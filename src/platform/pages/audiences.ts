/** Users by what they do: they sell products, or refer sales of products of others. */
export const AUDIENCES = ['sellers', 'referrers'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** Knows the audiences of a user. A feature provides it. */
export abstract class Audiences {
  /** Returns at least one audience: a user without anything will sell products. */
  abstract audiencesOf(user_id: number): Promise<ReadonlySet<Audience>>;
}
