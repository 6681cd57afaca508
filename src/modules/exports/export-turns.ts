import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../../api/errors/api-error.js';
import { SharedRoom } from '../../platform/limits/memory/shared-room.js';
import { Turns } from '../../platform/limits/memory/turns.js';
import { Settings } from '../../config/settings.js';

/** Milliseconds between two samples. */
const SAMPLE_MS = 1_000;
/** A client that reads fewer bytes per second loses its place to waiting exports. */
const LEAST_BYTES = 32 * 1_024;
const SAMPLES = 5;

/** Measures how fast the client of an export reads. */
export class ExportPace {
  private readonly ending = new AbortController();
  /** Byte counts of the latest samples, the newest last. */
  private samples: number[] = [];
  private bytes = 0;

  /** Aborts when the export must end early. */
  get cutOff(): AbortSignal {
    return this.ending.signal;
  }

  /** Number of bytes that the client has read since the first of the latest samples. */
  get recentBytes(): number {
    return this.bytes - (this.samples[0] ?? 0);
  }

  /** Counts bytes that the client has read. */
  add(bytes: number): void {
    this.bytes += bytes;
  }

  /** Adds a sample. @returns true if the client has been too slow over several samples */
  sample(): boolean {
    this.samples.push(this.bytes);
    if (this.samples.length <= SAMPLES) return false;
    const isSlow = this.recentBytes < SAMPLES * LEAST_BYTES;
    this.samples.shift();
    return isSlow;
  }

  /** Deletes all samples. */
  forget(): void {
    this.samples = [];
  }

  end(): void {
    this.ending.abort();
  }
}

/**
 * Maximum number of exports in a process. Each uses a database connection, and pages need most of
 * them.
 */
const MAX_EXPORTS = 4;
const CONNECTIONS_OF_EACH = 3;
const MAX_EXPORTS_OF_VENDOR = 1;
/** This wait is shorter than typical client timeouts. */
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '30';

/**
 * Limits the number of concurrent exports, and allows one for each vendor. While others wait, an
 * export whose client reads very slowly loses its place and is ended.
 */
@Injectable()
export class ExportTurns {
  private readonly logger = new Logger(ExportTurns.name);
  private readonly places: SharedRoom;
  private readonly ofVendors = new Turns({
    max: MAX_EXPORTS_OF_VENDOR,
    waitMs: MAX_WAIT_MS,
    refusal: tooManyExports,
  });
  private readonly running = new Set<ExportPace>();
  private waiting = 0;
  private watching: NodeJS.Timeout | undefined;

  constructor({ databaseConnections }: Settings) {
    const fitting = Math.floor(databaseConnections / CONNECTIONS_OF_EACH);
    const size = Math.max(1, Math.min(MAX_EXPORTS, fitting));
    this.places = new SharedRoom({ size, waitMs: MAX_WAIT_MS, refusal: tooManyExports });
  }

  /**
   * Runs an export when there is a place for it.
   * @param work runs the export; `pace` aborts when it must end early
   * @throws ApiError too_many_requests if the wait is too long; then `work` was not called
   */
  take<Result>(vendor_id: number, work: (pace: ExportPace) => Promise<Result>): Promise<Result> {
    return this.ofVendors.take(vendor_id, () => this.inPlace(vendor_id, work));
  }

  private async inPlace<Result>(
    vendor_id: number,
    work: (pace: ExportPace) => Promise<Result>,
  ): Promise<Result> {
    const place = await this.watched(() => this.places.take(vendor_id, 1));
    const pace = new ExportPace();
    this.running.add(pace);
    try {
      return await work(pace);
    } finally {
      this.running.delete(pace);
      place.free();
    }
  }

  /** Samples the running exports as long as someone waits. */
  private async watched<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.waiting += 1;
    this.watching ??= setInterval(() => {
      this.cutOffSlowest();
    }, SAMPLE_MS);
    try {
      return await wait();
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) {
        clearInterval(this.watching);
        this.watching = undefined;
        for (const pace of this.running) pace.forget();
      }
    }
  }

  private cutOffSlowest(): void {
    const slow = [...this.running].filter((pace) => pace.sample() && !pace.cutOff.aborted);
    const [slowest] = slow.sort((left, right) => left.recentBytes - right.recentBytes);
    if (slowest === undefined) return;
    this.logger.warn('An export was cut off: its client took next to nothing, and others waited');
    slowest.end();
  }
}

function tooManyExports(): ApiError {
  return new ApiError('too_many_requests', 'Too many exports run. Try again when one has ended.', {
    'Retry-After': RETRY_AFTER_SECONDS,
  });
}
