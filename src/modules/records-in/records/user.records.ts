import { isSame } from '../../../ledger/records/same-content.js';
import type { RecordChange, Stored } from '../../../ledger/records/overruled-fields.js';
import { addedAndChanged } from '../../../ledger/records/record-version.js';
import { readUser } from '../../../ledger/records/user.record.js';
import type { GivenUser } from '../../../ledger/reads/seen-user.model.js';
import type {
  UserOfSource,
  AccountsRepository,
  SeenUsersRepository,
} from '../../accounts/index.js';
import { NO_ACCOUNT } from '../../audit/index.js';
import { BEFORE_THE_BATCH, type BatchRun, CreatedBySource } from '../batches/batch-run.js';
import { type RecordKind, Overlay } from '../batches/typed-batch.js';
import type { RecordServices } from './record-services.js';

const STAYS = 'is there already and stays as it is; records may refer to this user';

/** Applies `user` records. */
export function userRecords(services: RecordServices): RecordKind<UserOfSource> {
  const { accounts, seen, most } = services;
  /** Users created by this vendor's source that nobody else relies on. */
  let own = new Set<number>();
  /** Ids of the users that were stored before the batch. */
  let there = new Set<number>();
  /** The names that a vendor's source gives to users. Only this vendor sees them. */
  let given = new Overlay<GivenUser>(new Map(), false);

  return {
    type: 'user',
    read: (fields) => ({ ...readUser(fields), source_vendor_id: null, admitted: null }),
    identity: ({ id }) => String(id),
    stored: async (run, users) => {
      const stored = await storedUsers(accounts, run, users);
      const before = stored.map(({ content }) => content);
      const named = [...run.references.users, ...users.map(({ id }) => id)];
      const isNeeded = named.some((id) => !run.users.has(id));
      run.createdUsers = await CreatedBySource.count(run, isNeeded, {
        setting: 'SOURCE_MAX_USERS',
        most: most.users,
        records: accounts.records,
      });
      own = await ownUsers(users, before, run, services);
      there = new Set(before.map(({ id }) => id));
      given = await givenUsers(seen, run, [...there]);
      return stored.map((user) => withoutVersionOfSource(user, run));
    },
    keptOf: (run) => Promise.resolve((user, before) => withSource(user, before, run)),
    problem: () => null,
    /**
     * Only the operator can suspend a user. The answer must not reveal data of a user that the
     * source cannot change.
     */
    forVendor: (user, { record_version }, run, before) => {
      if (user.status !== 'active') return { reject: 'status: a source cannot set it' };
      if (before === undefined) {
        const beyond = run.createdUsers?.take() ?? null;
        return beyond === null ? { apply: user } : { reject: beyond };
      }
      const said = given.put(String(user.id), { content: saidOf(user), record_version });
      if (said.verdict === 'rejected') return { reject: said.problem };
      const isOwn = own.has(user.id) || run.users.get(user.id) !== BEFORE_THE_BATCH;
      if (isOwn) return { apply: { ...user, status: before.status } };
      return { keep: STAYS, verdict: said.verdict === 'stale' ? 'stale' : 'unchanged' };
    },
    addToRun: ({ id }, since, run) => {
      run.users.set(id, since);
    },
    referredTo: ({ users }) => Array.from(users, String),
    audited: (before, after, { onlyVendor }) => {
      const { id } = after;
      // A source of a vendor does not show the vendor what was known of the user before.
      const account_id = onlyVendor === null ? id : NO_ACCOUNT;
      return { account_id, action: 'user.import', subject: `user ${id}`, before, after };
    },
    save: (run, changes) => saveUsers(services, run, changes),
    raiseVersions: ({ session }, records) => accounts.records.raiseVersions(session, records),
    conclude: async ({ session, onlyVendor, changedUsers }) => {
      if (onlyVendor === null) return;
      const { changes, raised } = given.toWrite();
      await seen.save(session, onlyVendor, [...changes, ...raised]);
      // An import must not rely on what it knew of the vendor's affiliates before.
      if (changes.length > 0) await services.transactions.raiseRevision(session, onlyVendor);
      const renamed = changes.map(({ content }) => content.id);
      changedUsers.push(...renamed.filter((id) => there.has(id)));
    },
  };
}

/** Saves users, and shows the operator's data of them to the vendors of records that name them. */
async function saveUsers(
  services: RecordServices,
  run: BatchRun,
  changes: readonly RecordChange<UserOfSource>[],
): Promise<void> {
  const { session, onlyVendor, changedUsers } = run;
  if (onlyVendor === null) await takeOver(services, run, changes);
  await services.accounts.saveUsers(session, changes);
  changedUsers.push(...(await shownBefore(services, run, changes)));
  if (onlyVendor !== null) return;
  const renamed = changes.filter(({ before, content }) => isRenamed(before, content));
  const ids = renamed.map(({ content }) => content.id);
  await services.seen.forget(session, ids);
}

/**
 * Returns the saved users that ledgers may have shown before: changed users, and added users whose
 * ids are already affiliates of sales, without a name.
 */
async function shownBefore(
  { transactions }: RecordServices,
  { session }: BatchRun,
  changes: readonly RecordChange<UserOfSource>[],
): Promise<number[]> {
  const { added, changed } = addedAndChanged(changes);
  const ids = added.map(({ content }) => content.id);
  const nameless = await transactions.reads.affiliatesAmong(session, ids);
  return [...changed.map(({ content }) => content.id), ...nameless];
}

/**
 * Locks the users of the records. Locks the vendor of a source, too, so that two of its batches
 * cannot exceed the limit together. Adds the users to the run, with users that other records refer
 * to.
 */
async function storedUsers(
  accounts: AccountsRepository,
  { session, onlyVendor, users: known, references }: BatchRun,
  users: readonly UserOfSource[],
): Promise<Stored<UserOfSource>[]> {
  const ids = new Set(users.map(({ id }) => id));
  const locking = onlyVendor === null ? ids : new Set([...ids, onlyVendor]);
  const locked = await accounts.records.locked(
    session,
    Array.from(locking, (id) => ({ id })),
  );
  const stored = locked.filter(({ content }) => ids.has(content.id));
  const others = [...references.users].filter((id) => !ids.has(id));
  const referredTo = await accounts.usersByIds(others, session);
  for (const { id } of [...stored.map(({ content }) => content), ...referredTo]) {
    known.set(id, BEFORE_THE_BATCH);
  }
  return stored;
}

/**
 * Returns the stored users that this vendor's source created and nobody else relies on. Reads
 * products and sales only for users that a record would change.
 */
async function ownUsers(
  users: readonly UserOfSource[],
  stored: readonly UserOfSource[],
  { session, onlyVendor }: BatchRun,
  { accounts, products, transactions }: RecordServices,
): Promise<Set<number>> {
  if (onlyVendor === null || stored.length === 0) return new Set();
  const ids = stored.map(({ id }) => id);
  const created = await accounts.usersOfSource(session, ids, onlyVendor);
  const own = new Set(created);
  const changing = changingIds(users, stored).filter((id) => own.has(id));
  const others = [
    ...(await products.vendorsAmong(session, changing)),
    ...(await transactions.reads.affiliatesOfOthers(session, changing, onlyVendor)),
  ];
  for (const id of others) own.delete(id);
  return own;
}

/** Returns the ids of the stored users that a record of the batch would change. */
function changingIds(users: readonly UserOfSource[], stored: readonly UserOfSource[]): number[] {
  const byId = new Map(stored.map((user) => [user.id, user]));
  const changing = users.filter((user) => {
    const before = byId.get(user.id);
    if (before === undefined) return false;
    // A source cannot change these fields.
    const { status, source_vendor_id, admitted } = before;
    return !isSame(before, { ...user, status, source_vendor_id, admitted });
  });
  return [...new Set(changing.map(({ id }) => id))];
}

/** Returns what a vendor's own source gave to stored and locked users before this batch. */
async function givenUsers(
  seen: SeenUsersRepository,
  { session, onlyVendor }: BatchRun,
  ids: readonly number[],
): Promise<Overlay<GivenUser>> {
  const given = onlyVendor === null ? [] : await seen.givenTo(session, onlyVendor, ids);
  return new Overlay(new Map(given.map((each) => [String(each.content.id), each])), false);
}

/**
 * Prepares the operator's first records for users whom sources added. It keeps, for each vendor,
 * the data that its source sent, and checks the passwords and API applications of these users.
 */
async function takeOver(
  { seen, provisional }: RecordServices,
  { session }: BatchRun,
  changes: readonly RecordChange<UserOfSource>[],
): Promise<void> {
  const named = changes
    .filter(({ before }) => typeof before?.source_vendor_id === 'number')
    .map(({ content }) => content);
  await seen.keepSaid(
    session,
    named.map(({ id }) => id),
  );
  await provisional.confirm(session, named);
}

/**
 * Removes a version that a vendor's source sent: it is not compared with the operator's version.
 */
function withoutVersionOfSource(
  stored: Stored<UserOfSource>,
  { onlyVendor }: BatchRun,
): Stored<UserOfSource> {
  const isOfSource = stored.content.source_vendor_id !== null;
  return onlyVendor === null && isOfSource ? { ...stored, record_version: null } : stored;
}

/** Sets the source of the user: a user belongs to a vendor's source until the operator names it. */
function withSource(
  user: UserOfSource,
  before: UserOfSource | undefined,
  { onlyVendor }: BatchRun,
): UserOfSource {
  if (onlyVendor === null) return { ...user, source_vendor_id: null, admitted: null };
  const { source_vendor_id, admitted } = before ?? { source_vendor_id: onlyVendor, admitted: null };
  return { ...user, source_vendor_id, admitted };
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
