import { Injectable, Logger } from '@nestjs/common';
import { formatLimitWindows, type LimitWindows } from '../../../common/limit-windows.js';
import type { AddressList } from '../../../common/address-list.js';
import { dateTimeOf } from '../../../common/time.js';
import { Settings } from '../../../config/settings.js';
import { Database, type Reader, type Session } from '../../../database/database.js';
import { OPERATOR } from '../../audit/audit.model.js';
import { AuditService } from '../../audit/audit.service.js';
import {
  TooManyApplicationsError,
  UnknownAccountError,
  UnreadableKeyError,
  type ApiApplication,
  type IssuedKey,
  type ListedApplication,
  type RotatedKey,
  type StoredKey,
} from '../account.model.js';
import { AccountsRepository } from '../accounts.repository.js';
import { hashOfApiKey, makeApiKey } from './api-key.js';
import {
  ApiApplicationsRepository,
  type ApplicationChange,
} from './api-applications.repository.js';
import { KeyCipher } from './key-cipher.js';

/** Looks at a key within this time are told once. */
const SHOWN_AGAIN_MS = 60_000;

/** What the audit log says of an application; when its old key ends, where that changes. */
type AuditedApplication = ApiApplication & { readonly old_key_ends?: string };

/**
 * API applications and their keys: what changes them is in the audit log. `by` is who does it: the
 * operator, or a user, to whom another's application is as little there as none.
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
   * Makes an API application with its key.
   * @param expires a moment in UTC after which the key is refused, or null
   * @param addresses from where alone the key may be used, or null
   * @throws UnknownAccountError where there is no such user
   * @throws TooManyApplicationsError where a user has as many active ones as one may make
   */
  async createApplication(
    user_id: number,
    name: string,
    expires: string | null,
    addresses: AddressList | null = null,
    by = OPERATOR,
  ): Promise<IssuedKey> {
    const [key, created] = [makeApiKey(), dateTimeOf(new Date())];
    const address_allow_list = addresses?.text ?? null;
    const most = this.settings.activeApplications;
    const made = {
      ...({ user_id, name, state: 'active', created, expires } as const),
      ...{ address_allow_list, limits: null },
    };
    const application = await this.database.write(async (session) => {
      if (!(await this.accounts.lockUser(session, user_id))) {
        throw new UnknownAccountError(`There is no user ${user_id}.`);
      }
      // Under the lock of the user, so that many at once make no more. An operator knows what for.
      if (by !== OPERATOR && (await this.repository.countActive(session, user_id)) >= most) {
        throw new TooManyApplicationsError(most);
      }
      const id = await this.repository.insertApplication(session, made, this.stored(key));
      await this.record(session, by, 'key.create', null, { id, ...made });
      return { id, ...made };
    });
    return { application, key };
  }

  applications(): Promise<ListedApplication[]> {
    return this.repository.applications(OPERATOR, dateTimeOf(new Date()));
  }

  applicationsOf(user_id: number): Promise<ListedApplication[]> {
    return this.repository.applications(user_id, dateTimeOf(new Date()));
  }

  /** @throws UnknownAccountError where there is no such application */
  async applicationById(id: number, by = OPERATOR): Promise<ListedApplication> {
    const [found] = await this.repository.applications(by, dateTimeOf(new Date()), id);
    if (found === undefined) throw UnknownAccountError.ofApplication(id);
    return found;
  }

  /** Shuts an application for good; its key is refused from now on. */
  revokeApplication(id: number, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.revoke', { state: 'revoked' });
  }

  renameApplication(id: number, name: string, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.rename', { name });
  }

  /** @param expires a moment in UTC after which its keys are refused, or null */
  setExpiry(id: number, expires: string | null, by = OPERATOR): Promise<ApiApplication> {
    return this.change(id, by, 'key.expire', { expires });
  }

  /** @param addresses from where alone its keys may be used, or null for everywhere */
  allowAddresses(
    id: number,
    addresses: AddressList | null,
    by = OPERATOR,
  ): Promise<ApiApplication> {
    return this.change(id, by, 'key.allow', { address_allow_list: addresses?.text ?? null });
  }

  /** @param limits of its own, without any window for no limit; null for those of all */
  setLimits(id: number, limits: LimitWindows | null): Promise<ApiApplication> {
    const text = limits === null ? null : formatLimitWindows(limits);
    const action = limits === null ? 'limits.clear' : 'limits.set';
    return this.change(id, OPERATOR, action, { limits: text });
  }

  /**
   * Gives an application a new key.
   * @param overlapSeconds how long the old key goes on working; 0 ends it at once
   */
  async rotateKey(id: number, overlapSeconds: number, by = OPERATOR): Promise<RotatedKey> {
    const key = makeApiKey();
    const now = new Date();
    const oldKeyEnds = dateTimeOf(new Date(now.getTime() + overlapSeconds * 1_000));
    const application = await this.database.write(async (session) => {
      const found = await this.knownApplication(session, id, by);
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
   * Ends the overlap of a rotation: every key but the present one is refused from now on.
   * @returns false where no old key worked any more
   */
  async endOverlap(id: number, by = OPERATOR): Promise<boolean> {
    const now = dateTimeOf(new Date());
    return this.database.write(async (session) => {
      const found = await this.knownApplication(session, id, by);
      const old_key_ends = await this.repository.oldKeyEnds(session, found, now);
      if (old_key_ends === null) return false;
      await this.repository.endOldKeys(session, id, now);
      const after = { ...found, old_key_ends: now };
      await this.record(session, by, 'key.end-overlap', { ...found, old_key_ends }, after);
      return true;
    });
  }

  /**
   * Shows its owner the key of an active application (interface 5.3), and notes that it was shown:
   * once for several looks within a minute.
   * @returns null where the application is revoked
   * @throws UnreadableKeyError where it can not be shown
   */
  showKey(id: number, by: number): Promise<string | null> {
    const now = Date.now();
    const unlessAfter = dateTimeOf(new Date(now - SHOWN_AGAIN_MS));
    return this.database.write(async (session) => {
      const application = await this.knownApplication(session, id, by);
      if (application.state !== 'active') return null;
      const key = await this.keyOf(id, session);
      const at = dateTimeOf(new Date(now));
      const isNews = await this.repository.noteShown(session, id, at, unlessAfter);
      if (isNews) await this.record(session, by, 'key.show', null, application);
      return key;
    });
  }

  /**
   * The key of an application in clear, whoever's it is.
   * @throws UnreadableKeyError, after the log was told
   */
  async keyOf(application_id: number, reader: Reader = this.database): Promise<string | null> {
    const key = await this.repository.presentKey(reader, application_id);
    try {
      return key === null ? null : this.cipher.decrypt(key.encrypted_key, key.key_hash);
    } catch (error) {
      if (error instanceof UnreadableKeyError) {
        const what = `The key of application ${application_id} can not be shown`;
        const why = 'it was stored under another KEY_ENCRYPTION_SECRET';
        this.logger.error(`${what}: ${why}. See "keys rewrap".`);
      }
      throw error;
    }
  }

  private change(
    id: number,
    by: number,
    action: string,
    change: ApplicationChange,
  ): Promise<ApiApplication> {
    return this.database.write(async (session) => {
      const before = await this.knownApplication(session, id, by);
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
