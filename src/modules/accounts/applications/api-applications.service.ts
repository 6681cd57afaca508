import { Injectable, Logger } from '@nestjs/common';
import { formatLimitWindows, type LimitWindows } from '../../../platform/limits/limit-windows.js';
import type { AddressList } from '../../../platform/values/address-list.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { Database, type EntityReader, type Session } from '../../../platform/database/database.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import {
  SourceApplicationError,
  TooManyApplicationsError,
  UnknownAccountError,
  UnreadableKeyError,
  type ApiApplication,
  type ApplicationWithKey,
  type IssuedKey,
  type ListedApplication,
  type RotatedKey,
} from '../account.model.js';
import { ALL_VENDORS, type UserAccess } from '../../../api/access/principal.js';
import { ACCOUNTS } from '../accounts.feature.js';
import { AccountsRepository } from '../accounts.repository.js';
import { KeyCipher, makeApiKey } from './key-cipher.js';
import {
  ApiApplicationsRepository,
  type ApplicationChange,
} from './api-applications.repository.js';
import { applicationSubject, type ApplicationAction } from '../audited-actions.js';

/**
 * These restrictions limit the key of a new application. By default, it has the access level `full`
 * and may be used from any address.
 */
interface Restrictions {
  readonly access?: UserAccess;
  /** Only these addresses may use the key. Null for any address. */
  readonly addresses?: AddressList | null;
}

type NewApplication = Pick<ApiApplication, 'name' | 'access' | 'expires'> & {
  /** Null for a source of all vendors. */
  readonly owner: number | null;
  readonly addresses: AddressList | null;
};

/** An audited application has `old_key_ends` only if it changes. */
type AuditedApplication = ApiApplication & { readonly old_key_ends?: string };

/** Changes that the owner of an application makes together; absent fields stay as they are. */
export type ApplicationEdit = Pick<
  ApplicationChange,
  'name' | 'access' | 'mcp_writes' | 'expires' | 'address_allow_list'
>;

/** If a key is shown again within this time, only the first time is recorded. */
const SHOWN_AGAIN_MS = 60_000;

/**
 * Manages API applications and their keys. Every change is in the audit log. `by` is the operator
 * or a user. Another user's application counts as not found.
 */
@Injectable()
export class ApiApplicationsService {
  private readonly logger = new Logger('Keys');

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly repository: ApiApplicationsRepository,
    private readonly cipher: KeyCipher,
    private readonly audit: AuditService,
    private readonly settings: Settings,
  ) {}

  /**
   * Creates an API application with its key. If the operator creates it, this admits a provisional
   * user.
   * @param expires the date-time in UTC after which the key is rejected, or null
   * @throws UnknownAccountError if there is no such user
   * @throws TooManyApplicationsError if the user has the maximum number of active applications
   */
  createApplication(
    user_id: number,
    name: string,
    expires: string | null,
    { access = 'full', addresses = null }: Restrictions = {},
    by = OPERATOR,
  ): Promise<IssuedKey> {
    return this.create({ owner: user_id, name, access, expires, addresses }, by);
  }

  /**
   * Creates a source, whose key can only send records.
   * @param owner the only vendor that it may write for, or null for all vendors
   * @throws UnknownAccountError if there is no such user
   */
  createSource(
    owner: number | null,
    name: string,
    expires: string | null,
    addresses: AddressList | null = null,
  ): Promise<IssuedKey> {
    return this.create({ owner, name, access: 'source', expires, addresses }, OPERATOR);
  }

  /** Returns the applications of a user, or those of all users for OPERATOR. */
  applicationsOf(by: number): Promise<ListedApplication[]> {
    return this.repository.list(by, dateTimeOf(new Date()));
  }

  /** Returns active applications that were created or got a new key after a date-time in UTC. */
  withKeysSince(user_id: number, since: string): Promise<ApplicationWithKey[]> {
    return this.repository.withKeysSince(user_id, since);
  }

  /** @throws UnknownAccountError if there is no such application */
  async applicationById(id: number, by = OPERATOR): Promise<ListedApplication> {
    const [found] = await this.repository.list(by, dateTimeOf(new Date()), id);
    if (found === undefined) throw UnknownAccountError.ofApplication(id);
    return found;
  }

  /** Revokes an application permanently. Its keys are rejected from now on. */
  revokeApplication(id: number, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.revoke', { state: 'revoked' });
  }

  /** Revokes all applications of a user as the operator, in a transaction with other changes. */
  async revokeAllOf(session: Session, user_id: number): Promise<void> {
    for (const id of await this.repository.activeIdsOf(session, user_id)) {
      await this.changeIn(session, id, OPERATOR, 'key.revoke', { state: 'revoked' });
    }
  }

  renameApplication(id: number, name: string, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.rename', { name });
  }

  /**
   * Makes several changes at once. The audit log records each field that differs.
   * @throws SourceApplicationError if the user does not manage the application
   */
  edit(id: number, wanted: ApplicationEdit, by: number): Promise<void> {
    return this.database.write(async (session) => {
      const before = await this.locked(session, id, by);
      for (const [action, change] of editsOf(wanted)) {
        const differs = Object.entries(change).some(
          ([field, value]) => value !== Reflect.get(before, field),
        );
        if (differs) await this.changeIn(session, id, by, action, change);
      }
    });
  }

  /** @param expires the date-time in UTC after which its keys are rejected, or null */
  setExpiry(id: number, expires: string | null, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.expire', { expires });
  }

  /** @param addresses the only addresses that may use its keys, or null for any */
  allowAddresses(id: number, addresses: AddressList | null, by = OPERATOR) {
    return this.change(id, by, 'key.allow', { address_allow_list: addresses?.text ?? null });
  }

  /** @throws SourceApplicationError if the application is a source, whose access level is fixed */
  setAccess(id: number, access: UserAccess, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.access', { access });
  }

  /**
   * Lets assistants change data with its keys over MCP, or forbids it.
   * @throws SourceApplicationError if the application is a source
   */
  setMcpWrites(id: number, isAllowed: boolean, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.mcp-writes', { mcp_writes: Number(isAllowed) });
  }

  /** @param limits its own limits, an empty list for no limit, or null for the default limits */
  setLimits(id: number, limits: LimitWindows | null): Promise<ApiApplication> {
    const text = limits === null ? null : formatLimitWindows(limits);
    const action = limits === null ? 'limits.clear' : 'limits.set';
    return this.change(id, OPERATOR, action, { limits: text });
  }

  /**
   * Gives an application a new key.
   * @param overlapSeconds how long the old key keeps working; 0 ends it immediately
   */
  async rotateKey(id: number, overlapSeconds: number, by = OPERATOR): Promise<RotatedKey> {
    const key = makeApiKey();
    const now = new Date();
    const oldKeyEnds = dateTimeOf(new Date(now.getTime() + overlapSeconds * 1_000));
    const application = await this.database.write(async (session) => {
      const found = await this.locked(session, id, by);
      if (found.state === 'revoked') {
        throw new UnknownAccountError(`Application ${id} is revoked; create a new one.`);
      }
      await this.repository.endKeys(session, id, oldKeyEnds);
      await this.repository.insertKey(session, id, this.cipher.stored(key), dateTimeOf(now));
      await this.record(session, by, 'key.rotate', found, { ...found, old_key_ends: oldKeyEnds });
      return found;
    });
    return { application, key, old_key_ends: overlapSeconds === 0 ? null : oldKeyEnds };
  }

  /**
   * Ends the overlap of a rotation: all keys but the current one are rejected from now on.
   * @returns false if no old key was working
   */
  async endOverlap(id: number, by = OPERATOR): Promise<boolean> {
    const now = dateTimeOf(new Date());
    return this.database.write(async (session) => {
      const found = await this.locked(session, id, by);
      const old_key_ends = await this.repository.oldKeyEnds(session, found, now);
      if (old_key_ends === null) return false;
      await this.repository.endOldKeys(session, id, now);
      const after = { ...found, old_key_ends: now };
      await this.record(session, by, 'key.end-overlap', { ...found, old_key_ends }, after);
      return true;
    });
  }

  /**
   * Returns the key of an active application to show it to its owner. The audit log records this at
   * most once a minute.
   * @returns null if the application is revoked
   * @throws UnreadableKeyError if the key cannot be decrypted
   */
  showKey(id: number, by: number): Promise<string | null> {
    const now = Date.now();
    const unlessAfter = dateTimeOf(new Date(now - SHOWN_AGAIN_MS));
    return this.database.write(async (session) => {
      const application = await this.locked(session, id, by);
      if (application.state !== 'active') return null;
      const key = await this.keyOf(id, session);
      const at = dateTimeOf(new Date(now));
      const isNew = await this.repository.noteShown(session, id, at, unlessAfter);
      if (isNew) await this.record(session, by, 'key.show', null, application);
      return key;
    });
  }

  /**
   * Returns the key of any user's application in plain text.
   * @throws UnreadableKeyError if the key cannot be decrypted, which is logged
   */
  async keyOf(application_id: number, reader: EntityReader = this.database) {
    const key = await this.repository.currentKey(reader, application_id);
    try {
      return key === null ? null : this.cipher.decrypt(key.encrypted_key, key.key_hash);
    } catch (error) {
      if (error instanceof UnreadableKeyError) {
        const what = `The key of application ${application_id} cannot be shown`;
        const why = 'it was stored under another KEY_ENCRYPTION_SECRET';
        this.logger.error(`${what}: ${why}. See "keys rewrap".`);
      }
      throw error;
    }
  }

  private async create({ owner, addresses, ...given }: NewApplication, by: number) {
    const [key, created] = [makeApiKey(), dateTimeOf(new Date())];
    const max = valueOf(this.settings, ACCOUNTS.settings.activeApplications);
    const content = {
      user_id: owner ?? ALL_VENDORS,
      ...given,
      state: 'active' as const,
      created,
      address_allow_list: addresses?.text ?? null,
      limits: null,
      mcp_writes: 0,
    };
    const application = await this.database.write(async (session) => {
      if (owner !== null) await this.accounts.lockKnownUser(session, owner);
      // The lock on the user keeps concurrent requests within the limit. The operator has no limit.
      if (by !== OPERATOR && (await this.repository.countActive(session, by)) >= max) {
        throw new TooManyApplicationsError(max);
      }
      if (owner !== null && by === OPERATOR && content.access !== 'source') {
        await this.accounts.admit(session, owner);
      }
      const id = await this.repository.insertApplication(session, content, this.cipher.stored(key));
      await this.record(session, by, 'key.create', null, { id, ...content });
      return { id, ...content };
    });
    return { application, key };
  }

  private change(id: number, by: number, action: ApplicationAction, change: ApplicationChange) {
    return this.database.write((session) => this.changeIn(session, id, by, action, change));
  }

  private async changeIn(
    session: Session,
    id: number,
    by: number,
    action: ApplicationAction,
    change: ApplicationChange,
  ): Promise<ApiApplication> {
    const before = await this.locked(session, id, by, change);
    const after = { ...before, ...change };
    await this.repository.change(session, id, change);
    await this.record(session, by, action, before, after);
    return after;
  }

  /**
   * Returns an application, locked until the session ends.
   * @param change the planned change of the application; empty for a change of its keys
   * @throws UnknownAccountError if there is none, or it is another user's
   * @throws SourceApplicationError if it is a source, which does not allow this change
   */
  private async locked(session: Session, id: number, by: number, change: ApplicationChange = {}) {
    const application = await this.repository.lockedApplication(session, id, by);
    if (application === null) throw UnknownAccountError.ofApplication(id);
    checkSource(application, by, change);
    return application;
  }

  private record(
    session: Session,
    by: number,
    action: ApplicationAction,
    before: AuditedApplication | null,
    after: AuditedApplication,
  ): Promise<void> {
    const { id, user_id } = after;
    const subject = applicationSubject(id, user_id);
    const author = { user_id: by, application_id: id, account_id: user_id };
    return this.audit.record(session, { ...author, action, subject, before, after });
  }
}

/** Returns the change of each field with its action for the audit log. */
function editsOf({
  name,
  access,
  mcp_writes,
  expires,
  address_allow_list,
}: ApplicationEdit): (readonly [ApplicationAction, ApplicationChange])[] {
  return [
    ...(name === undefined ? [] : [['key.rename', { name }] as const]),
    ...(access === undefined ? [] : [['key.access', { access }] as const]),
    ...(mcp_writes === undefined ? [] : [['key.mcp-writes', { mcp_writes }] as const]),
    ...(expires === undefined ? [] : [['key.expire', { expires }] as const]),
    ...(address_allow_list === undefined ? [] : [['key.allow', { address_allow_list }] as const]),
  ];
}

/**
 * Checks changes of a source. It belongs to the operator: its vendor can only revoke it, and its
 * access level is fixed.
 * @throws SourceApplicationError if the change is not allowed
 */
function checkSource(
  { id, access }: ApiApplication,
  by: number,
  { access: wanted, mcp_writes, state }: ApplicationChange,
): void {
  if (access !== 'source' || state === 'revoked') return;
  if (by !== OPERATOR) {
    throw new SourceApplicationError(
      'A source is managed by the operator. You can only revoke it.',
    );
  }
  if (mcp_writes !== undefined) {
    throw new SourceApplicationError(`Application ${id} is a source, which cannot use MCP.`);
  }
  if (wanted !== undefined) {
    throw new SourceApplicationError(
      `Application ${id} is a source, and its access cannot be changed. Create another application.`,
    );
  }
}
