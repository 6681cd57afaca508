import { isSame } from '../../../ledger-format/same-content.js';
import { readUser, type UserRecord } from '../../../ledger-format/user.record.js';
import type { AccountsService } from '../../accounts/accounts.service.js';
import type { ProductsService } from '../../products/products.service.js';
import type { TransactionWritesService } from '../../transactions/writes/transaction-writes.service.js';
import { BEFORE_THE_BATCH, type BatchRun } from '../batch-run.js';
import { neverOverruled, type RecordKind } from '../record-kind.js';

interface Services {
  readonly accounts: AccountsService;
  readonly products: ProductsService;
  readonly transactions: TransactionWritesService;
}

/** Applies `user` records. */
export function userRecords({ accounts, ...services }: Services): RecordKind<UserRecord> {
  /** Those whom the source of one vendor created, and who are nobody else's business. */
  let own = new Set<number>();

  return {
    type: 'user',
    read: readUser,
    identity: ({ id }) => String(id),
    stored: async (run, users) => {
      const ids = new Set(users.map(({ id }) => id));
      const stored = await accounts.lockedUsers(run.session, ids);
      const others = [...run.references.users].filter((id) => !ids.has(id));
      const referredTo = await accounts.storedUsers(run.session, others);
      for (const { id } of [...stored.map(({ content }) => content), ...referredTo]) {
        run.users.set(id, BEFORE_THE_BATCH);
      }
      const before = stored.map(({ content }) => content);
      own = await ownUsers(users, before, run, { accounts, ...services });
      return neverOverruled(stored);
    },
    problem: () => null,
    /** Suspending is the operator's right. What another user has cannot be guessed from the answer. */
    forVendor: (user, _at, run, before) => {
      if (user.status !== 'active') return { reject: 'status: a source cannot set it' };
      if (before === undefined) return { apply: user };
      const after = { ...user, status: before.status };
      const isOwn = own.has(user.id) || run.users.get(user.id) !== BEFORE_THE_BATCH;
      return isOwn
        ? { apply: after }
        : { keep: 'is there already and stays as it is; records may refer to this user' };
    },
    addToRun: ({ id }, since, run) => {
      run.users.set(id, since);
    },
    referredTo: ({ users }) => Array.from(users, String),
    audited: (before, after) => {
      return { action: 'user.import', subject: `user ${after.id}`, before, after };
    },
    save: async (run, changes) => {
      await accounts.saveUsers(run.session, changes, run.onlyVendor);
      for (const { before, content } of changes) {
        if (before !== undefined) run.changedUsers.push(content.id);
      }
    },
    raiseVersions: ({ session }, records) => accounts.raiseVersions(session, records),
  };
}

/** Only a change needs to know of the sales. */
async function ownUsers(
  users: readonly UserRecord[],
  stored: readonly UserRecord[],
  { session, onlyVendor }: BatchRun,
  { accounts, products, transactions }: Services,
): Promise<Set<number>> {
  if (onlyVendor === null || stored.length === 0) return new Set();
  const ids = stored.map(({ id }) => id);
  const created = await accounts.usersOfSource(session, ids, onlyVendor);
  const own = new Set(created);
  const changing = changingIds(users, stored).filter((id) => own.has(id));
  const others = [
    ...(await products.vendorsAmong(session, changing)),
    ...(await transactions.affiliatesOfOthers(session, changing, onlyVendor)),
  ];
  for (const id of others) own.delete(id);
  return own;
}

/** The stored users whom a record of the batch would change. */
function changingIds(users: readonly UserRecord[], stored: readonly UserRecord[]): number[] {
  const byId = new Map(stored.map((user) => [user.id, user]));
  const changing = users.filter((user) => {
    const before = byId.get(user.id);
    return before !== undefined && !isSame(before, { ...user, status: before.status });
  });
  return [...new Set(changing.map(({ id }) => id))];
}
