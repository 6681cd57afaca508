import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';

/** Writers of a vendor wait for each other in the database anyway, and readers need connections, too. */
const MAX_WRITERS = 2;
/** Shorter than typical client timeouts. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '2';

/** Lets few requests write records at a time. More have to wait, first come first served. */
@Injectable()
export class WriteTurns {
  private writers = 0;
  private readonly waiting = new Set<() => void>();

  /** @throws ApiError too_many_requests if the wait takes too long; then `work` was not begun */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  private async begin(): Promise<void> {
    if (this.writers < MAX_WRITERS) {
      this.writers += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(tooManyWriters());
      }, MAX_WAIT_MS);
      this.waiting.add(start);
    });
  }

  /** The next one takes the place at once, so that no other request comes in between. */
  private end(): void {
    const [startNext] = this.waiting;
    if (startNext === undefined) this.writers -= 1;
    else startNext();
  }
}

function tooManyWriters(): ApiError {
  return new ApiError(
    'too_many_requests',
    'Too many requests write records. Nothing was written: send these again.',
    { 'Retry-After': RETRY_AFTER_SECONDS },
  );
}
