import type { LoggerService } from '@nestjs/common';
import { codeOf } from '../errors/is-error.js';
import type { DatabaseUnavailableError } from '../errors/database-unavailable.js';

const INTERVAL_MS = 1_000;

/** Logs an unavailable database at most once a second, with the number of failed requests. */
export class OutageLog {
  private loggedAt = -Infinity;
  private unlogged = 0;

  constructor(private readonly logger: LoggerService) {}

  add(error: DatabaseUnavailableError): void {
    this.unlogged += 1;
    const now = performance.now();
    if (now - this.loggedAt < INTERVAL_MS) return;
    const driverCode = codeOf(error.cause);
    const entry = { error: error.message, requests: this.unlogged };
    this.logger.error(driverCode === undefined ? entry : { ...entry, driverCode });
    this.loggedAt = now;
    this.unlogged = 0;
  }
}
