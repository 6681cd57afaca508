import { Injectable } from '@nestjs/common';
import { formatLimitWindows, type LimitWindows } from '../../../platform/limits/limit-windows.js';
import type { AddressList } from '../../../platform/values/address-list.js';
import { dateTimeOf } from '../../../platform/values/time.js';
import { valueOf } from '../../../config/declared-settings.js';
import { Settings } from '../../../config/settings.js';
import { Database } from '../../../platform/database/database.js';
import { OPERATOR } from '../../../platform/values/author.js';
import {
  TooManyApplicationsError,
  UnknownAccountError,
  type ApiApplication,
  type ApplicationWithKey,
  type IssuedKey,
  type ListedApplication,
} from '../account.model.js';
import { ALL_VENDORS, type UserAccess } from '../../../api/access/principal.js';
import { ACCOUNTS } from '../accounts.feature.js';
import { AccountsRepository } from '../accounts.repository.js';
import { ProvisionalUsersRepository } from '../seen/provisional-users.repository.js';
import { KeyCipher, makeApiKey } from './key-cipher.js';
import {
  ApiApplicationsRepository,
  type ApplicationChange,
} from './api-applications.repository.js';
import type { ApplicationAction } from '../audited-actions.js';
import { ManagedApplications } from './managed-applications.js';

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

/**
 * Manages API applications. Their keys are in api-keys.service.ts. Every change is in the audit
 * log. `by` is the operator or a user. Another user's application counts as not found.
 */
@Injectable()
export class ApiApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly repository: ApiApplicationsRepository,
    private readonly cipher: KeyCipher,
    private readonly managed: ManagedApplications,
    private readonly settings: Settings,
    private readonly provisional: ProvisionalUsersRepository,
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

  applications(): Promise<ListedApplication[]> {
    return this.repository.list(OPERATOR, dateTimeOf(new Date()));
  }

  applicationsOf(user_id: number): Promise<ListedApplication[]> {
    return this.repository.list(user_id, dateTimeOf(new Date()));
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

  renameApplication(id: number, name: string, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.rename', { name });
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

  /** @param limits its own limits, an empty list for no limit, or null for the default limits */
  setLimits(id: number, limits: LimitWindows | null): Promise<ApiApplication> {
    const text = limits === null ? null : formatLimitWindows(limits);
    const action = limits === null ? 'limits.clear' : 'limits.set';
    return this.change(id, OPERATOR, action, { limits: text });
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
    };
    const application = await this.database.write(async (session) => {
      if (owner !== null) await this.accounts.lockKnownUser(session, owner);
      // The lock on the user keeps concurrent requests within the limit. The operator has no limit.
      if (by !== OPERATOR && (await this.repository.countActive(session, by)) >= max) {
        throw new TooManyApplicationsError(max);
      }
      if (owner !== null && by === OPERATOR && content.access !== 'source') {
        await this.provisional.admit(session, owner);
      }
      const id = await this.repository.insertApplication(session, content, this.cipher.stored(key));
      await this.managed.record(session, by, 'key.create', null, { id, ...content });
      return { id, ...content };
    });
    return { application, key };
  }

  private change(id: number, by: number, action: ApplicationAction, change: ApplicationChange) {
    return this.database.write(async (session) => {
      const before = await this.managed.locked(session, id, by, change);
      const after = { ...before, ...change };
      await this.repository.change(session, id, change);
      await this.managed.record(session, by, action, before, after);
      return after;
    });
  }
}
