import { Injectable } from '@nestjs/common';
import { Database, type Session } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { isMailAddress } from '../../platform/values/email.js';
import { OPERATOR } from '../../platform/values/author.js';
import { Faults, RecordFields } from '../../ledger/records/record-fields.js';
import { readUser } from '../../ledger/records/user.record.js';
import { AuditService } from '../audit/index.js';
import { signInEmailOf, type User } from './account.model.js';
import { AccountsRepository } from './accounts.repository.js';
import { userEntry } from './audited-actions.js';

export interface WantedUser {
  readonly name: string;
  readonly email: string;
  /** Null for the id after the highest one. */
  readonly id: number | null;
}

interface AddedUser {
  readonly user: User;
  /** False if the user was there already, with the same data. */
  readonly isNew: boolean;
}

/** Adds users for the operator, as a record of an import does. */
@Injectable()
export class NewUsersService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds a user, unless there is one with the same data.
   * @param onAdded runs in the transaction that adds the user
   * @throws DomainError if the name or the e-mail cannot be used, or belongs to another user
   */
  add(
    wanted: WantedUser,
    onAdded: (session: Session, id: number) => Promise<void>,
  ): Promise<AddedUser> {
    const { name, email } = checked(wanted);
    return this.database.write(async (session) => {
      const before = await this.userBefore(session, { ...wanted, name, email });
      if (before !== null) return { user: before, isNew: false };
      const id = wanted.id ?? (await this.accounts.highestId(session)) + 1;
      const user = checked({ name, email, id });
      const content = { ...user, source_vendor_id: null, admitted: null };
      const added = { content, before: undefined, overruled: null, record_version: null };
      await this.accounts.saveUsers(session, [added]);
      await this.audit.record(session, userEntry('user.add', id, OPERATOR, user));
      await onAdded(session, id);
      return { user, isNew: true };
    });
  }

  /**
   * Returns the user with this id, or this e-mail if there is no id. Users whom only a source added
   * do not count without an id, because a source can use any e-mail.
   * @throws DomainError if that user has other data
   */
  private async userBefore(session: Session, wanted: WantedUser): Promise<User | null> {
    const sign_in_email = signInEmailOf(wanted.email);
    const found =
      wanted.id === null
        ? await this.accounts.operatorsUserWith(session, sign_in_email)
        : await this.accounts.lockedUser(session, wanted.id);
    if (found === null) return null;
    const { id, name, email, display_name, status, source_vendor_id } = found;
    if (source_vendor_id !== null) {
      throw new DomainError(
        `User ${id} was added by the source of vendor ${source_vendor_id}. Import a record of the user to change this.`,
      );
    }
    if (name === wanted.name && signInEmailOf(email) === sign_in_email) {
      return { id, name, email, display_name, status };
    }
    const more = wanted.id === null ? ' Pass --id ID to add another user with this e-mail.' : '';
    throw new DomainError(`User ${id} is there already: ${name}, ${email}.${more}`);
  }
}

/** @throws DomainError that names everything that is wrong */
function checked({ name, email, id }: WantedUser): User {
  const faults = new Faults();
  const values = { id: id ?? 1, name: name.trim(), email: email.trim() };
  const fields = new RecordFields(values, faults);
  const user = readUser(fields);
  if (values.name === '') fields.fault('name', 'must not be empty');
  if (!isMailAddress(values.email)) {
    fields.fault('email', 'must be an e-mail address, such as ann@example.com');
  }
  if (!faults.isEmpty) throw new DomainError(`${faults.texts().join('; ')}.`);
  return user;
}
