import { readUser, type UserRecord } from '../../../ledger-format/user.record.js';
import type { AccountsService } from '../../accounts/accounts.service.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type References,
} from '../batch-run.js';
import type { Change, RecordKind } from '../record-kind.js';

/** Applies `user` records. */
export class UserRecords implements RecordKind<UserRecord> {
  readonly type = 'user';
  readonly read = readUser;

  constructor(private readonly accounts: AccountsService) {}

  identity(user: UserRecord): string {
    return String(user.id);
  }

  async stored(run: BatchRun, users: readonly UserRecord[]) {
    const ids = new Set([...run.references.users, ...users.map(({ id }) => id)]);
    const stored = await this.accounts.storedUsers(run.session, ids);
    for (const user of stored) this.noteExistence(user, BEFORE_THE_BATCH, run);
    return stored.map((content) => ({ content, overruled: null }));
  }

  refusal(): null {
    return null;
  }

  noteExistence(user: UserRecord, since: number, run: BatchRun): void {
    run.users.set(user.id, since);
  }

  referredTo({ users }: References): Iterable<string> {
    return Array.from(users, String);
  }

  audited(before: UserRecord, after: UserRecord): AuditedChange {
    return { action: 'user.import', subject: `user ${after.id}`, before, after };
  }

  async save(run: BatchRun, changes: readonly Change<UserRecord>[]): Promise<void> {
    const users = changes.map(({ after }) => after);
    await this.accounts.saveUsers(run.session, users);
    for (const { before, after } of changes) {
      if (before !== undefined) run.changedUsers.push(after.id);
    }
  }
}
