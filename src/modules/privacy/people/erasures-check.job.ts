import { Injectable } from '@nestjs/common';
import { NodeNotWritableError } from '../../../platform/errors/database-unavailable.js';
import { isError } from '../../../platform/errors/is-error.js';
import { dateTimeIn } from '../../../platform/values/time.js';
import { failureOf } from '../../../platform/database/database-failures.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { JobLoop } from '../../../platform/jobs/job-loop.js';
import { ErasuresFile } from '../tombstones/erasures-file.js';
import { ErasuresSyncService, type LookedAtFile } from '../tombstones/erasures-sync.service.js';
import {
  BusyErasuresError,
  UnreplayedErasuresError,
  UnusableErasuresError,
} from '../tombstones/erased-person.model.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';
import { PendingErasuresService } from './pending-erasures.service.js';

const EVERY_MS = 60_000;
/** An erasure requested within this time may still be running in another process. */
const INTERRUPTED_AFTER_MS = 600_000;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Ensures that no erased customer reappears after a backup is restored: the service does not start
 * until erasures are replayed. While the service runs, this class continues interrupted erasures.
 */
@Injectable()
export class ErasuresCheckService extends JobLoop {
  private hasFailed = false;
  private readonly counts = { interrupted: 0 };

  constructor(
    private readonly file: ErasuresFile,
    private readonly sync: ErasuresSyncService,
    private readonly tombstones: TombstonesRepository,
    private readonly pending: PendingErasuresService,
    metrics: Metrics,
  ) {
    super('Interrupted erasures could not be ended', EVERY_MS);
    const help = 'Erasures of people that were interrupted, and are tried again.';
    metrics.gauge('erasures', help, 'state', () => this.counts);
  }

  /**
   * Compares the file of erasures with the database, adds what the file lacks, and continues
   * interrupted erasures. If there is no space to write, these are tried again later.
   * @returns the file as it was found
   * @throws UnreplayedErasuresError, ForeignErasuresError, UnusableErasuresError
   */
  async check(): Promise<LookedAtFile> {
    await this.file.head();
    await this.file.checkFolder();
    const looked = await this.sync.look();
    if (looked.missing > 0) throw new UnreplayedErasuresError(looked.missing);
    try {
      await this.pending.goOn(looked);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.hasFailed = true;
      this.counts.interrupted = await this.tombstones.countPending(dateTimeIn(0));
      const reason = failureOf(error) ?? (isError(error) ? error.name : 'unknown');
      this.logger.error(`Interrupted erasures could not be ended (${reason}), and are tried again`);
    }
    return looked;
  }

  protected async run(): Promise<void> {
    const before = dateTimeIn(-INTERRUPTED_AFTER_MS);
    this.counts.interrupted = await this.tombstones.countPending(before);
    if (!this.hasFailed && this.counts.interrupted === 0) return;
    const looked = await this.sync.look();
    if (looked.missing === 0) await this.pending.goOn(looked);
    this.hasFailed = false;
    this.counts.interrupted = await this.tombstones.countPending(before);
  }
}

/** Returns true for a temporary error: no disk space, or a database that cannot be written. */
function isPassing(error: unknown): boolean {
  if (error instanceof BusyErasuresError || error instanceof NodeNotWritableError) return true;
  const code = failureOf(error);
  if (error instanceof UnusableErasuresError) return NO_SPACE.has(code ?? '');
  return code !== null;
}
