import type { EntitySchema } from 'typeorm';

/** Says how the rows of a table are shown in the feed of changes. */
export interface RowChange {
  readonly kind: string;
  /** Column of the primary key with the keys of the records. */
  readonly key: string;
}

/**
 * Declares the columns of a table that hold personal data of customers. The table has a column
 * `vendor_id`. See docs/extensions.md.
 */
export interface PersonalTable {
  readonly entity: EntitySchema;
  /** Customer of a row: that of a transaction, that of a subscription, or the one with an e-mail. */
  readonly by: 'transaction' | 'subscription' | 'email';
  /** Column with the transaction_id, the key of the subscription, or the e-mail. */
  readonly key: string;
  /**
   * Column with the date-time of the row, in UTC. Erasures and retention apply by it. Only a table
   * by e-mail has it; other rows have the date of their transaction or subscription.
   */
  readonly date?: string;
  /** If it is set, the service adds a change for each row that it empties. */
  readonly change?: RowChange;
  /** Each column with the value that replaces its personal data. */
  readonly columns: Readonly<Record<string, '' | null>>;
}
