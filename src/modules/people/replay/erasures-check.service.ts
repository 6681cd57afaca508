import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { BackgroundWork } from '../../../common/background-work.js';
import { NodeNotWritableError } from '../../../common/errors/database-unavailable.js';
import { isError } from '../../../common/errors/is-error.js';
import { dateTimeOf } from '../../../common/time.js';
import { failureOf } from '../../../database/database-failures.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { ErasuresFile } from '../erasures-file/erasures-file.js';
import { ErasuresSyncService, type LookedAtFile } from '../erasures-file/erasures-sync.service.js';
import {
  BusyErasuresError,
  UnreplayedErasuresError,
  UnusableErasuresError,
} from '../tombstones/erased-person.model.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';
import { PendingErasuresService } from './pending-erasures.service.js';

const EVERY_MS = 60_000;
/** Another process may still be erasing what was asked for later. */
const INTERRUPTED_AFTER_MS = 600_000;
const NO_SPACE = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Sees to it that nobody who was erased is shown after a backup was restored: the service does not start before. While
 * the service runs, this goes on with erasures that were interrupted.
 */
@Injectable()
export class ErasuresCheckService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ErasuresCheckService.name);
  private readonly work = new BackgroundWork('Interrupted erasures could not be ended', {
    everyMs: EVERY_MS,
    run: () => this.retry(),
  });
  private hasFailed = false;
  private readonly counts = { interrupted: 0 };

  constructor(
    private readonly file: ErasuresFile,
    private readonly sync: ErasuresSyncService,
    private readonly tombstones: TombstonesRepository,
    private readonly pending: PendingErasuresService,
    metrics: Metrics,
  ) {
    const help = 'Erasures of people that were interrupted, and are tried again.';
    metrics.gauge('erasures', help, 'state', () => this.counts);
  }

  /**
   * Compares the file of erasures with the database, adds to the file what it lacks, and goes on with erasures that
   * were interrupted. If there is no space to write, that is tried again later.
   * @returns the file as it was found
   * @throws UnreplayedErasuresError, ForeignErasuresError, UnusableErasuresError
   */
  async check(): Promise<LookedAtFile> {
    await this.file.head();
    await this.file.checkFolder();
    const looked = await this.sync.look();
    if (looked.missing > 0) throw new UnreplayedErasuresError(looked.missing);
    try {
      await this.goOn(looked);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.hasFailed = true;
      this.counts.interrupted = await this.tombstones.countPending(dateTimeOf(new Date()));
      const reason = failureOf(error) ?? (isError(error) ? error.name : 'unknown');
      this.logger.error(`Interrupted erasures could not be ended (${reason}), and are tried again`);
    }
    return looked;
  }

  start(): void {
    this.work.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.work.stop();
  }

  private async retry(): Promise<void> {
    const before = dateTimeOf(new Date(Date.now() - INTERRUPTED_AFTER_MS));
    this.counts.interrupted = await this.tombstones.countPending(before);
    if (!this.hasFailed && this.counts.interrupted === 0) return;
    const looked = await this.sync.look();
    if (looked.missing === 0) await this.goOn(looked);
    this.hasFailed = false;
    this.counts.interrupted = await this.tombstones.countPending(before);
  }

  private async goOn(looked: LookedAtFile): Promise<void> {
    await this.pending.numberAll();
    await this.sync.complete(looked);
    await this.pending.finish();
  }
}

/** True if there is no space or the database cannot be written, which passes while the service runs. */
function isPassing(error: unknown): boolean {
  if (error instanceof BusyErasuresError || error instanceof NodeNotWritableError) return true;
  const code = failureOf(error);
  if (error instanceof UnusableErasuresError) return NO_SPACE.has(code ?? '');
  return code !== null;
}
