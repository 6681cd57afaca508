import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../platform/observability/metrics.js';
import { everyJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import { UpstreamTurnsService } from './upstream-turns.service.js';
import type { Upstream } from '../upstreams/upstream.model.js';
import { MirrorReaderService } from './mirror-reader.service.js';
import { ReadingSlots } from './reading-slots.js';

const POLL_MS = 1_000;
/** Each poll starts reading from at most this many upstreams. */
const MAX_BEGUN = 4;
/** Maximum number of upstreams with a slot, including those that are slow or wait. */
const MAX_OPEN = 64;
/** Reading from an upstream ends after this time, so that others can be read. */
const MAX_TURN_MS = 60_000;

type DueUpstream = Pick<Upstream, 'id'>;

/** Polls for upstreams that are due and reads from them until the service stops. */
@Injectable()
export class MirrorLoopService extends JobQueue<DueUpstream> {
  private readonly slots = new ReadingSlots();

  constructor(
    private readonly turns: UpstreamTurnsService,
    private readonly reader: MirrorReaderService,
    metrics: Metrics,
  ) {
    super('Upstreams could not be read', POLL_MS, [{ max: MAX_OPEN, group: everyJob }]);
    const help = 'Upstreams that this process reads from.';
    metrics.gauge('upstreams_reading', help, 'state', () => this.slots.counts);
  }

  protected async due(running: ReadonlySet<number>): Promise<DueUpstream[]> {
    // Upstreams that wait for a place are still due, so the limit allows for those.
    const due = await this.turns.due(MAX_BEGUN + running.size);
    const others = due.filter(({ id }) => !running.has(id)).slice(0, MAX_BEGUN);
    if (others.length > 0 && this.size === MAX_OPEN) this.slots.endSlowest();
    return others;
  }

  protected async attempt({ id }: DueUpstream, ending: AbortController): Promise<void> {
    const { signal } = ending;
    const slot = this.slots.open(id, ending);
    try {
      await slot.enter();
      if (!signal.aborted) await this.reader.read(id, { signal, maxMs: MAX_TURN_MS, slot });
    } finally {
      this.slots.end(slot);
    }
  }
}
