import type { LoggerService } from '@nestjs/common';
import { codeOf } from '../../common/errors/is-error.js';
import type { DatabaseUnavailableError } from '../../common/errors/database-unavailable.js';

const EVERY_MS = 1_000;

/** Tells once a second that the database is away, however many requests find it so. */
export class OutageLog {
  private toldAt = -Infinity;
  private untold = 0;

  constructor(private readonly logger: LoggerService) {}

  add(error: DatabaseUnavailableError): void {
    this.untold += 1;
    const now = performance.now();
    if (now - this.toldAt < EVERY_MS) return;
    const driverCode = codeOf(error.cause);
    const what = { error: error.message, requests: this.untold };
    this.logger.error(driverCode === undefined ? what : { ...what, driverCode });
    this.toldAt = now;
    this.untold = 0;
  }
}
