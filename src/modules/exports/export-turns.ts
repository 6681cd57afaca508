import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { Settings } from '../../config/settings.js';
import { Turns } from '../../common/turns.js';

/** In a process. Each keeps a database connection; pages need most of them. */
const MAX_EXPORTS = 2;
const CONNECTIONS_OF_EACH = 3;
const MAX_EXPORTS_OF_VENDOR = 1;
/** Shorter than typical client timeouts. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '30';

/** Lets few exports run at a time, and one of each vendor. */
@Injectable()
export class ExportTurns {
  private readonly ofAll: Turns;
  /** Of vendors who export or wait. */
  private readonly ofVendors = new Map<number, Turns>();

  constructor({ databaseConnections }: Settings) {
    const fitting = Math.floor(databaseConnections / CONNECTIONS_OF_EACH);
    this.ofAll = turnsFor(Math.max(1, Math.min(MAX_EXPORTS, fitting)));
  }

  /** @throws ApiError too_many_requests if the wait takes too long; then `work` was not begun */
  async take<Result>(vendor_id: number, work: () => Promise<Result>): Promise<Result> {
    const own = this.ofVendors.get(vendor_id) ?? turnsFor(MAX_EXPORTS_OF_VENDOR);
    this.ofVendors.set(vendor_id, own);
    try {
      return await own.take(() => this.ofAll.take(work));
    } finally {
      if (own.isIdle) this.ofVendors.delete(vendor_id);
    }
  }
}

function turnsFor(max: number): Turns {
  return new Turns({ max, waitMs: MAX_WAIT_MS, refusal: tooManyExports });
}

function tooManyExports(): ApiError {
  return new ApiError('too_many_requests', 'Too many exports run. Try again when one has ended.', {
    'Retry-After': RETRY_AFTER_SECONDS,
  });
}
