import type { Versioned } from '../../../ledger-format/record-version.js';
import { isSame } from '../../../ledger-format/same-content.js';
import type { UserOfSource } from '../../accounts/account.model.js';
import type { GivenUser } from '../../accounts/seen/seen-user.model.js';
import type { ProvisionalUsersService } from '../../accounts/provisional/provisional-users.service.js';
import type { SeenUsersService } from '../../accounts/seen/seen-users.service.js';
import type { BatchRun } from '../batch-run.js';
import { Overlay } from '../overlay.js';
import { neverOverruled, type Change } from '../record-kind.js';

/**
 * Collects the names that the source of a vendor gives to users in one batch. Only this vendor sees
 * them.
 */
export class GivenUsers {
  private constructor(
    private readonly seen: SeenUsersService,
    /** Ids of the users that were stored before the batch. */
    private readonly there: ReadonlySet<number>,
    private readonly given: Overlay<GivenUser>,
  ) {}

  /** @param there ids of the batch's users that are stored and locked */
  static async of(
    seen: SeenUsersService,
    { session, onlyVendor }: BatchRun,
    there: ReadonlySet<number>,
  ): Promise<GivenUsers> {
    const given =
      onlyVendor === null ? [] : await seen.usersGivenTo(session, onlyVendor, [...there]);
    const stored = neverOverruled(given).map((each) => [String(each.content.id), each] as const);
    return new GivenUsers(seen, there, new Overlay(new Map(stored), false));
  }

  /** Applies a record to the vendor's own view of the user. */
  put(user: UserOfSource, record_version: number | null) {
    return this.given.put(String(user.id), { content: saidOf(user), record_version });
  }

  async save({ session, onlyVendor, changedUsers }: BatchRun): Promise<void> {
    if (onlyVendor === null) return;
    const { changes, raised } = this.given.toWrite();
    await this.seen.saveGiven(session, onlyVendor, [...changes, ...raised]);
    const ids = changes.map(({ content }) => content.id);
    changedUsers.push(...ids.filter((id) => this.there.has(id)));
  }
}

/**
 * Keeps, for each vendor, the data that its source sent for users whom it added, before the
 * operator's records replace it.
 */
export async function keepSaid(
  seen: SeenUsersService,
  { session, onlyVendor }: BatchRun,
  changes: readonly Change<UserOfSource>[],
): Promise<void> {
  if (onlyVendor !== null) return;
  const taken = changes.filter(({ before }) => typeof before?.source_vendor_id === 'number');
  const ids = taken.map(({ content }) => content.id);
  await seen.keepSaid(session, ids);
}

/** Shows the operator's data of the changed users to the vendors of records that name them. */
export async function forgetGiven(
  seen: SeenUsersService,
  { session, onlyVendor }: BatchRun,
  changes: readonly Change<UserOfSource>[],
): Promise<void> {
  if (onlyVendor !== null) return;
  const renamed = changes.filter(({ before, content }) => isRenamed(before, content));
  const ids = renamed.map(({ content }) => content.id);
  await seen.forgetGiven(session, ids);
}

/**
 * Removes a version that a vendor's source sent: it is not compared with the operator's version.
 */
export function withoutVersionOfSource(
  stored: Versioned<UserOfSource>,
  { onlyVendor }: BatchRun,
): Versioned<UserOfSource> {
  const isOfSource = stored.content.source_vendor_id !== null;
  return onlyVendor === null && isOfSource ? { ...stored, record_version: null } : stored;
}

/** Sets the source of the user: a user belongs to a vendor's source until the operator names it. */
export function withSource(
  user: UserOfSource,
  before: UserOfSource | undefined,
  { onlyVendor }: BatchRun,
): UserOfSource {
  if (onlyVendor === null) return { ...user, source_vendor_id: null, admitted: null };
  const { source_vendor_id, admitted } = before ?? { source_vendor_id: onlyVendor, admitted: null };
  return { ...user, source_vendor_id, admitted };
}

/**
 * Checks the passwords and API applications of users that sources added, before the operator's
 * first record for them is saved.
 */
export async function confirmNamed(
  provisional: ProvisionalUsersService,
  { session, onlyVendor }: BatchRun,
  changes: readonly Change<UserOfSource>[],
): Promise<void> {
  if (onlyVendor !== null) return;
  const named = changes.filter(({ before }) => typeof before?.source_vendor_id === 'number');
  await provisional.confirm(
    session,
    named.map(({ content }) => content),
  );
}

/**
 * Returns true if the operator's data of the user changes, or the operator names the user for the
 * first time.
 */
function isRenamed(before: UserOfSource | undefined, after: UserOfSource): boolean {
  if (before === undefined) return false;
  const isTaken = before.source_vendor_id !== after.source_vendor_id;
  return isTaken || !isSame(saidOf(before), saidOf(after));
}

function saidOf({ id, name, email, display_name }: GivenUser): GivenUser {
  return { id, name, email, display_name };
}
