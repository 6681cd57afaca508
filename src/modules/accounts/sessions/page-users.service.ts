import { Injectable } from '@nestjs/common';
import type { PageUser } from './page-user.model.js';
import { PageUsersRepository } from './page-users.repository.js';

/** Finds the users of browser sessions. */
@Injectable()
export class PageUsersService {
  constructor(private readonly repository: PageUsersRepository) {}

  /** @returns null if there is no such user, or the user is no longer active */
  async byId(user_id: number): Promise<PageUser | null> {
    const found = await this.repository.byId(user_id);
    return found?.user.status === 'active' ? found : null;
  }
}
