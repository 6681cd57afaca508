import { Injectable } from '@nestjs/common';
import { PasswordsRepository } from './passwords.repository.js';

/** The statement reads every password, so not with each sign-in. */
const READ_EVERY_MS = 60_000;

/**
 * How many users sign in with the e-mail that most of them share: one, almost everywhere. Each sign-in takes
 * as many hashes, so that its time does not tell whose e-mail is shared.
 */
@Injectable()
export class SharedEmails {
  private most: Promise<number> | null = null;
  private readAt = 0;

  constructor(private readonly passwords: PasswordsRepository) {}

  /** As it was within the last minute. */
  mostUsers(): Promise<number> {
    const now = performance.now();
    if (this.most === null || now - this.readAt >= READ_EVERY_MS) {
      this.readAt = now;
      this.most = this.passwords.mostWithSameEmail();
      this.most.catch(() => {
        this.most = null;
      });
    }
    return this.most;
  }
}
