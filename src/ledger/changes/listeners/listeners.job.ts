import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { everyJob, JobQueue, type SlotLimit } from '../../../platform/jobs/job-queue.js';
import { Metrics } from '../../../platform/observability/metrics.js';
import { dateTimeIn } from '../../../platform/values/time.js';
import type { ChangeListener } from '../change-listener.model.js';
import {
  ChangeCursorsRepository,
  type DueFeed,
  type VendorRange,
} from './change-cursors.repository.js';
import { ChangeListeners } from './change-listeners.js';
import { ListenerTurnsService } from './listener-turns.service.js';

const POLL_MS = 1_000;
/** A statement looks at the feeds of this many vendors. On SQLite, requests wait for it. */
const VENDORS = 2_000;
/** A poll finds about this many feeds. */
const MAX_FOUND = 500;
/** Polls take at most about a tenth of the time, however many vendors there are. */
const REST = 10;
const MAX_REST_MS = 30_000;

/** Changes of a vendor that wait for a listener. */
interface DueTurn extends DueFeed {
  readonly id: string;
  readonly listener: ChangeListener;
}

/**
 * Each turn uses one database connection; the others are for requests. A listener that fails or is
 * slow leaves slots for the others.
 */
const LIMITS: readonly SlotLimit<DueTurn>[] = [
  { max: 3, group: everyJob },
  { max: 2, group: ({ listener }) => listener.name },
  { max: 1, group: ({ failures }) => (failures > 0 ? 'failing' : null) },
];

/** Polls for changes that listeners have not handled, and passes them on. */
@Injectable()
export class ListenersJob extends JobQueue<DueTurn> {
  private listeners: readonly ChangeListener[] = [];
  /** The next poll begins after this vendor. */
  private after = 0;
  /** Time of the next poll by the monotonic clock, in milliseconds. */
  private nextPoll = 0;

  constructor(
    private readonly installed: ChangeListeners,
    private readonly repository: ChangeCursorsRepository,
    private readonly turns: ListenerTurnsService,
    private readonly metrics: Metrics,
  ) {
    super('Changes could not be passed to listeners', POLL_MS, LIMITS);
  }

  /** Starts nothing if no extension has a listener. */
  override start(): void {
    this.listeners = this.installed.all;
    if (this.listeners.length === 0) return;
    const running = 'Ledgers whose changes this process passes to listeners of extensions.';
    this.metrics.gauge('change_listeners_running', running, 'state', () => ({
      running: this.size,
    }));
    const batches = 'Batches of changes that listeners of extensions got.';
    this.metrics.counter('change_listener_batches_total', batches, 'outcome', () => {
      return this.turns.outcomes;
    });
    super.start();
  }

  protected override async run(): Promise<void> {
    const begun = performance.now();
    if (begun < this.nextPoll) return;
    await super.run();
    const now = performance.now();
    this.nextPoll = now + Math.min(REST * (now - begun), MAX_REST_MS);
  }

  /**
   * Looks at the feeds of all vendors, or until enough of them are found. Then the next poll
   * continues where this one ended.
   */
  protected async due(): Promise<readonly DueTurn[]> {
    const found: DueTurn[] = [];
    do {
      const next = await this.repository.lastOf(this.after, VENDORS);
      const range = { after: this.after, last: next ?? Number.MAX_SAFE_INTEGER };
      for (const listener of this.listeners) found.push(...(await this.dueIn(range, listener)));
      this.after = next ?? 0;
      // On SQLite, statements end in the same turn of the event loop.
      await nextTurn();
    } while (this.after > 0 && found.length < MAX_FOUND);
    return found;
  }

  protected attempt({ listener, vendor_id }: DueTurn, { signal }: AbortController): Promise<void> {
    return this.turns.turn(listener, vendor_id, signal);
  }

  private async dueIn(range: VendorRange, listener: ChangeListener): Promise<DueTurn[]> {
    const { name } = listener;
    const feeds = await this.repository.due(name, range, dateTimeIn(0), MAX_FOUND);
    const unknown = feeds.filter(({ is_new }) => is_new === 1);
    const keys = unknown.map(({ vendor_id }) => ({ listener: name, vendor_id }));
    if (keys.length > 0) await this.repository.add(keys);
    return feeds.map((feed) => ({ ...feed, id: `${name} ${feed.vendor_id}`, listener }));
  }
}
