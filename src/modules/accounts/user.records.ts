import type { RecordFields } from '../../ledger-format/record-fields.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type References,
} from '../../ledger-format/ledger.model.js';
import type { Change, RecordKind } from '../../ledger-format/record-batch.js';
import { USER_STATUSES, type User } from './account.model.js';
import type { AccountsRepository } from './accounts.repository.js';

/** The `user` records of a ledger file (ledger format: user). */
export class UserRecords implements RecordKind<User> {
  readonly type = 'user';
  constructor(private readonly repository: AccountsRepository) {}

  read(fields: RecordFields): User {
    // Read for its faults alone: nothing shows it (ledger format: user).
    fields.optionalText('processor_email');
    return {
      id: fields.id('id'),
      name: fields.plainText('name'),
      email: fields.plainText('email'),
      display_name: fields.optionalPlainText('display_name'),
      status: fields.optionalChoice('status', USER_STATUSES) ?? 'active',
    };
  }

  identity(user: User): string {
    return String(user.id);
  }

  async stored(run: BatchRun, users: readonly User[]): Promise<readonly User[]> {
    const ids = new Set([...run.references.users, ...users.map(({ id }) => id)]);
    const stored = await this.repository.usersByIds(run.session, ids);
    for (const user of stored) this.noteExistence(user, BEFORE_THE_BATCH, run);
    return stored;
  }

  refusal(): null {
    return null;
  }

  noteExistence(user: User, since: number, run: BatchRun): void {
    run.users.set(user.id, since);
  }

  referredTo({ users }: References): Iterable<string> {
    return Array.from(users, String);
  }

  audited(before: User, after: User): AuditedChange {
    return { action: 'user.import', subject: `user ${after.id}`, before, after };
  }

  async save(run: BatchRun, changes: readonly Change<User>[]): Promise<void> {
    await this.repository.saveUsers(
      run.session,
      changes.map(({ after }) => after),
    );
    for (const { before, after } of changes) {
      if (before !== undefined) run.changedUsers.push(after.id);
    }
  }
}
