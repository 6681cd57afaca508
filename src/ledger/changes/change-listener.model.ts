import type { Session } from '../../platform/database/database.js';

/** A change of a ledger, with the record as it is now. */
export interface LedgerChange {
  /** Number from 1 that rises with each change of the vendor's ledger. */
  readonly sequence: number;
  readonly kind: string;
  /** Time of the change in UTC, as the API shows it: `2025-06-01T18:03:11+00:00`. */
  readonly changed_at: string;
  /**
   * Reasons why a transaction or a recurring payment changed since the listener last had everything;
   * absent for other kinds. A reason may come twice. See docs/changes.md#reasons.
   */
  readonly reasons?: readonly string[];
  /** The record as the API shows it; of the kind `removed`, its `removed_kind` and `key`. */
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Receives the changes of each ledger in their order, at least once, after their commit, in one
 * process at a time. See docs/changes.md.
 */
export abstract class ChangeListener {
  /**
   * Name under which the position of the listener is stored: the name of the extension, or a name
   * that begins with it and a dash. A listener with a new name begins at the first change.
   */
  abstract readonly name: string;

  /** Kinds of the changes to receive; all by default. Changes of the kind `removed` always come. */
  readonly kinds?: readonly string[];

  /**
   * Handles changes of one vendor. The position of the listener is stored in the transaction of the
   * session, so what is written in it is written exactly once. Other vendors wait for the
   * transaction, so it should be short, and must not wait for other services.
   * @param session runs the statements; the listener must not write in another way
   * @param changes 1 to 100 changes in the order of their sequences
   * @throws any error, after which the same changes come again later
   */
  abstract changed(
    session: Session,
    vendor_id: number,
    changes: readonly LedgerChange[],
  ): Promise<void>;
}
