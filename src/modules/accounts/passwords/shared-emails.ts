import { Injectable } from '@nestjs/common';
import { PasswordsRepository } from './passwords.repository.js';

/** The statement reads every password, so it does not run with each sign-in. */
const READ_EVERY_MS = 60_000;

/**
 * Reads how many users share the most shared e-mail: usually one. Each sign-in takes as many
 * hashes, so that its time does not reveal whether its e-mail is shared.
 */
@Injectable()
export class SharedEmails {
  private most: Promise<number> | null = null;
  private readAt = 0;

  constructor(private readonly passwords: PasswordsRepository) {}

  /** Returns the largest number of users with the same e-mail. It is at most a minute old. */
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
