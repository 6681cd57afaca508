import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { dateTimeOf, DAY_MS } from '../../../platform/values/time.js';
import { AccountsRepository } from '../accounts.repository.js';
import { SignInNetworksRepository } from './sign-in-networks.repository.js';

/** A sign-in place describes where a browser signs in. */
export interface SignInPlace {
  /** Network of the address: a /24 of IPv4 or a /64 of IPv6. */
  readonly network: string;
  readonly address: string;
  /** Browser and system, in words. */
  readonly device: string;
}

/** A notice reader is a session that shows notices. */
export interface NoticeReader {
  readonly user_id: number;
  /**
   * Network of the session. Undefined if the session began with a previous version of the service.
   */
  readonly network: string | undefined;
  /** True if the notice of this network is about the session itself. */
  readonly isNews: boolean;
}

const REMEMBERED_MS = 90 * DAY_MS;
/** Maximum number of networks per user. Those with the oldest sign-in are removed first. */
const MAX_NETWORKS = 50;
const MAX_SHOWN = 5;

/**
 * This row records that the user has signed in before. Without it, the next sign-in after 90 days
 * without one would count as the first ever, and would cause no notice.
 */
const EARLIER = { network: '', address: '', device: '', notice: 'none' } as const;
const FOR_EVER = '9999-12-31 23:59:59';

/** Notifies users of sign-ins from networks that they have not used within 90 days. */
@Injectable()
export class SignInNetworksService {
  constructor(
    private readonly database: Database,
    private readonly repository: SignInNetworksRepository,
    private readonly accounts: AccountsRepository,
  ) {}

  /** Records where a user has signed in. @returns true if the user gets a notice of it */
  async note(user_id: number, place: SignInPlace): Promise<boolean> {
    const now = Date.now();
    const last_sign_in = dateTimeOf(new Date(now));
    await this.repository.removeBefore(dateTimeOf(new Date(now - REMEMBERED_MS)));
    return this.database.write(async (session) => {
      await this.accounts.lockUser(session, user_id);
      const stored = await this.repository.ofUser(session, user_id);
      const known = stored.find(({ network }) => network === place.network);
      const isNews = known === undefined && stored.length > 0;
      const notice = isNews ? ('open' as const) : ('none' as const);
      const row = known ?? { user_id, ...place, notice, noticed: last_sign_in };
      const first = { user_id, ...EARLIER, last_sign_in: FOR_EVER, noticed: last_sign_in };
      await this.repository.save(session, [
        ...(stored.length === 0 ? [first] : []),
        { ...row, last_sign_in },
      ]);
      const others = stored.filter(
        ({ network }) => ![EARLIER.network, place.network].includes(network),
      );
      const forgotten = others.slice(MAX_NETWORKS - 1).map(({ network }) => network);
      await this.repository.remove(session, user_id, forgotten);
      return isNews;
    });
  }

  /**
   * Returns the notices for the user of a session, the newest first, without the one about the
   * session itself. A notice has the time, the address and the device of the first sign-in.
   */
  async noticesFor({ user_id, network, isNews }: NoticeReader) {
    const rows = await this.repository.noticesOf(user_id, MAX_SHOWN + 1);
    return rows
      .filter((row) => row.network !== network || (row.notice === 'open' && !isNews))
      .slice(0, MAX_SHOWN);
  }

  /**
   * Dismisses the notices that a session has shown. A session can dismiss the notice of its own
   * network only for sessions of that network. Otherwise, an intruder could hide the notice by
   * signing in twice.
   * @param until time of the newest of the notices
   */
  async dismiss({ user_id, network, isNews }: NoticeReader, until: string): Promise<void> {
    await this.database.write(async (session) => {
      await this.repository.dismissOthers(session, user_id, network ?? '', until);
      if (network !== undefined && !isNews) {
        await this.repository.dismissThere(session, user_id, network, until);
      }
    });
  }
}
