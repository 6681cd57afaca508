import { readUser, type UserRecord } from '../../../ledger-format/user.record.js';
import type { AccountsService } from '../../accounts/accounts.service.js';
import { BEFORE_THE_BATCH } from '../batch-run.js';
import { neverOverruled, type RecordKind } from '../record-kind.js';

/** Applies `user` records. */
export function userRecords(accounts: AccountsService): RecordKind<UserRecord> {
  return {
    type: 'user',
    read: readUser,
    identity: ({ id }) => String(id),
    stored: async (run, users) => {
      const own = new Set(users.map(({ id }) => id));
      const stored = await accounts.lockedUsers(run.session, own);
      const others = [...run.references.users].filter((id) => !own.has(id));
      const referredTo = await accounts.storedUsers(run.session, others);
      for (const { id } of [...stored.map(({ content }) => content), ...referredTo]) {
        run.users.set(id, BEFORE_THE_BATCH);
      }
      return neverOverruled(stored);
    },
    problem: () => null,
    addToRun: ({ id }, since, run) => {
      run.users.set(id, since);
    },
    referredTo: ({ users }) => Array.from(users, String),
    audited: (before, after) => {
      return { action: 'user.import', subject: `user ${after.id}`, before, after };
    },
    save: async (run, changes) => {
      await accounts.saveUsers(run.session, changes);
      for (const { before, content } of changes) {
        if (before !== undefined) run.changedUsers.push(content.id);
      }
    },
    raiseVersions: ({ session }, records) => accounts.raiseVersions(session, records),
  };
}
