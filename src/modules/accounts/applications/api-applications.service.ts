import { Injectable, Logger } from '@nestjs/common';
import { formatLimitWindows, type LimitWindows } from '../../../common/limit-windows.js';
import type { AddressList } from '../../../common/address-list.js';
import { dateTimeOf } from '../../../common/time.js';
import { Settings } from '../../../config/settings.js';
import { Database, type EntityReader, type Session } from '../../../database/database.js';
import { OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import {
  ALL_VENDORS,
  SourceApplicationError,
  TooManyApplicationsError,
  UnknownAccountError,
  UnreadableKeyError,
  type ApiApplication,
  type IssuedKey,
  type ListedApplication,
  type RotatedKey,
  type StoredKey,
  type UserAccess,
} from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { hashOfApiKey, makeApiKey } from './api-key.js';
import {
  ApiApplicationsRepository,
  type ApplicationChange,
} from './api-applications.repository.js';
import { KeyCipher } from './key-cipher.js';

/** Looks at a key within this time are recorded once. */
const SHOWN_AGAIN_MS = 60_000;

/** What the key of a new application may do, and from where; by default everything, from anywhere. */
interface Restrictions {
  readonly access?: UserAccess;
  /** The only addresses that may use the key, or null for any. */
  readonly addresses?: AddressList | null;
}

type NewApplication = Pick<ApiApplication, 'name' | 'access' | 'expires'> & {
  /** Null for a source of all vendors. */
  readonly owner: number | null;
  readonly addresses: AddressList | null;
};

/** An application in the audit log; `old_key_ends` only if it changes. */
type AuditedApplication = ApiApplication & { readonly old_key_ends?: string };

/**
 * API applications and their keys. Every change is in the audit log. `by` is the operator or a user, for
 * whom another user's application is treated as not found.
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
   * Creates an API application with its key.
   * @param expires the date-time in UTC after which the key is refused, or null
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
   * Creates a source: its key can only send records.
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

  applications(): Promise<ListedApplication[]> {
    return this.repository.list(OPERATOR, dateTimeOf(new Date()));
  }

  applicationsOf(user_id: number): Promise<ListedApplication[]> {
    return this.repository.list(user_id, dateTimeOf(new Date()));
  }

  /** @throws UnknownAccountError if there is no such application */
  async applicationById(id: number, by = OPERATOR): Promise<ListedApplication> {
    const [found] = await this.repository.list(by, dateTimeOf(new Date()), id);
    if (found === undefined) throw UnknownAccountError.ofApplication(id);
    return found;
  }

  /** Revokes an application permanently; its keys are refused from now on. */
  revokeApplication(id: number, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.revoke', { state: 'revoked' });
  }

  renameApplication(id: number, name: string, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.rename', { name });
  }

  /** @param expires the date-time in UTC after which its keys are refused, or null */
  setExpiry(id: number, expires: string | null, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.expire', { expires });
  }

  /** @param addresses the only addresses that may use its keys, or null for any */
  allowAddresses(
    id: number,
    addresses: AddressList | null,
    by = OPERATOR,
  ): Promise<ApiApplication> {
    return this.change(id, by, 'key.allow', { address_allow_list: addresses?.text ?? null });
  }

  /** @throws SourceApplicationError if the application is a source, which stays one */
  setAccess(id: number, access: UserAccess, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.access', { access });
  }

  /** @param limits its own limits, without windows for no limit; null for the default limits */
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
      const found = await this.knownApplication(session, id, by);
      checkSource(found, by);
      if (found.state === 'revoked') {
        throw new UnknownAccountError(`Application ${id} is revoked; create a new one.`);
      }
      await this.repository.endKeys(session, id, oldKeyEnds);
      await this.repository.insertKey(session, id, this.stored(key), dateTimeOf(now));
      await this.record(session, by, 'key.rotate', found, { ...found, old_key_ends: oldKeyEnds });
      return found;
    });
    return { application, key, old_key_ends: overlapSeconds === 0 ? null : oldKeyEnds };
  }

  /**
   * Ends the overlap of a rotation: all keys but the current one are refused from now on.
   * @returns false if no old key was working
   */
  async endOverlap(id: number, by = OPERATOR): Promise<boolean> {
    const now = dateTimeOf(new Date());
    return this.database.write(async (session) => {
      const found = await this.knownApplication(session, id, by);
      checkSource(found, by);
      const old_key_ends = await this.repository.oldKeyEnds(session, found, now);
      if (old_key_ends === null) return false;
      await this.repository.endOldKeys(session, id, now);
      const after = { ...found, old_key_ends: now };
      await this.record(session, by, 'key.end-overlap', { ...found, old_key_ends }, after);
      return true;
    });
  }

  /**
   * Shows its owner the key of an active application (interface 5.3), and records in the audit log that
   * it was shown, at most once a minute.
   * @returns null if the application is revoked
   * @throws UnreadableKeyError if the key cannot be decrypted
   */
  showKey(id: number, by: number): Promise<string | null> {
    const now = Date.now();
    const unlessAfter = dateTimeOf(new Date(now - SHOWN_AGAIN_MS));
    return this.database.write(async (session) => {
      const application = await this.knownApplication(session, id, by);
      checkSource(application, by);
      if (application.state !== 'active') return null;
      const key = await this.keyOf(id, session);
      const at = dateTimeOf(new Date(now));
      const isNew = await this.repository.noteShown(session, id, at, unlessAfter);
      if (isNew) await this.record(session, by, 'key.show', null, application);
      return key;
    });
  }

  /**
   * The key of any user's application in plain text.
   * @throws UnreadableKeyError after logging it
   */
  async keyOf(
    application_id: number,
    reader: EntityReader = this.database,
  ): Promise<string | null> {
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

  private async create(
    { owner, addresses, ...given }: NewApplication,
    by: number,
  ): Promise<IssuedKey> {
    const [key, created] = [makeApiKey(), dateTimeOf(new Date())];
    const max = this.settings.activeApplications;
    const content = {
      ...({ user_id: owner ?? ALL_VENDORS, ...given, state: 'active', created } as const),
      ...{ address_allow_list: addresses?.text ?? null, limits: null },
    };
    const application = await this.database.write(async (session) => {
      if (owner !== null && !(await this.accounts.lockUser(session, owner))) {
        throw new UnknownAccountError(`There is no user ${owner}.`);
      }
      // The lock on the user keeps concurrent requests within the limit. Operators have no limit.
      if (by !== OPERATOR && (await this.repository.countActive(session, by)) >= max) {
        throw new TooManyApplicationsError(max);
      }
      const id = await this.repository.insertApplication(session, content, this.stored(key));
      await this.record(session, by, 'key.create', null, { id, ...content });
      return { id, ...content };
    });
    return { application, key };
  }

  private change(
    id: number,
    by: number,
    action: string,
    change: ApplicationChange,
  ): Promise<ApiApplication> {
    return this.database.write(async (session) => {
      const before = await this.knownApplication(session, id, by);
      checkSource(before, by, change);
      const after = { ...before, ...change };
      await this.repository.change(session, id, change);
      await this.record(session, by, action, before, after);
      return after;
    });
  }

  private record(
    session: Session,
    by: number,
    action: string,
    before: AuditedApplication | null,
    after: AuditedApplication,
  ): Promise<void> {
    const application_id = after.id;
    const subject = `application ${application_id} of user ${after.user_id}`;
    return this.audit.record(session, {
      ...{ user_id: by, application_id, action, subject, before, after },
    });
  }

  private stored(key: string): StoredKey {
    const key_hash = hashOfApiKey(key);
    return { key_hash, encrypted_key: this.cipher.encrypt(key, key_hash) };
  }

  private async knownApplication(
    session: Session,
    id: number,
    by: number,
  ): Promise<ApiApplication> {
    const application = await this.repository.lockedApplication(session, id, by);
    if (application === null) throw UnknownAccountError.ofApplication(id);
    return application;
  }
}

/**
 * A source belongs to the operator: its vendor can only revoke it, and it stays a source.
 * @throws SourceApplicationError
 */
function checkSource(
  { id, access }: ApiApplication,
  by: number,
  { access: wanted, state }: ApplicationChange = {},
): void {
  if (access !== 'source' || state === 'revoked') return;
  if (by !== OPERATOR) {
    throw new SourceApplicationError(
      'A source is managed by the operator. You can only revoke it.',
    );
  }
  if (wanted !== undefined) {
    throw new SourceApplicationError(
      `Application ${id} is a source, and its access cannot be changed. Create another application.`,
    );
  }
}
