import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  hashOfSession,
  SessionsService,
} from '../../modules/accounts/sessions/sessions.service.js';
import { contentOf } from './session-store.js';

/** A signed-in browser of a user. */
export interface ListedSession {
  readonly session_hash: string;
  /** Browser in words; null for a session that began with a previous version. */
  readonly device: string | null;
  readonly address: string | null;
  readonly created: string;
  readonly last_used: string;
  /** True for the session of this request. */
  readonly isThis: boolean;
}

@Injectable()
export class SessionList {
  constructor(private readonly sessions: SessionsService) {}

  /**
   * Returns the sessions of a request's user, without those that still require a code.
   * @param hasTwoFactor whether the user has two-factor sign-in
   */
  async beside(
    { sessionID }: Request,
    user_id: number,
    hasTwoFactor: boolean,
  ): Promise<ListedSession[]> {
    const own = hashOfSession(sessionID);
    const found = await this.sessions.ofUser(user_id);
    return found
      .map(({ data, ...row }) => ({ ...row, content: contentOf(data) }))
      .filter(({ content: { code_given } }) => code_given ?? !hasTwoFactor)
      .map(({ content: { place }, ...row }) => ({
        ...row,
        device: place?.device ?? null,
        address: place?.address ?? null,
        isThis: row.session_hash === own,
      }));
  }
}
