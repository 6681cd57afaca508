import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { BY_OPERATOR } from '../../audit/audit.model.js';
import { UpstreamChangesService } from '../../upstreams/registry/upstream-changes.service.js';
import { UpstreamsService } from '../../upstreams/registry/upstreams.service.js';
import {
  UnusableUpstreamError,
  type RunKind,
  type ShownUpstream,
} from '../../upstreams/upstream.model.js';
import { MirrorReaderService } from './mirror-reader.service.js';

/** The progress of another process is checked at this interval. */
const LOOK_MS = 500;
/** Waiting reads are counted, and progress is reported, at this interval. */
const COUNT_MS = 1_000;

/** Runs a reading for a caller that waits for its end. */
@Injectable()
export class MirrorService {
  constructor(
    private readonly upstreams: UpstreamsService,
    private readonly changes: UpstreamChangesService,
    private readonly reader: MirrorReaderService,
  ) {}

  /**
   * Reads everything that is due in this process, or waits for the process that reads already.
   * @param onProgress called after each part, at least once
   * @returns the upstream when nothing is left to read, or when it cannot be read now; then it has
   *   a `problem`
   * @throws UnknownUpstreamError if there is no such upstream
   * @throws UnusableUpstreamError if it is paused
   */
  async run(
    id: number,
    kind: RunKind,
    onProgress: (upstream: ShownUpstream) => void,
    signal: AbortSignal,
  ): Promise<ShownUpstream> {
    const { state } = await this.upstreams.get(id);
    if (state === 'paused') throw new UnusableUpstreamError(`Upstream ${id} is paused: resume it.`);
    onProgress(await this.changes.run(id, kind, BY_OPERATOR));
    for (;;) {
      const end = await this.reader.read(id, { signal, maxMs: COUNT_MS });
      const upstream = await this.upstreams.get(id);
      onProgress(upstream);
      if (signal.aborted || isDone(upstream) || end === 'failed') return upstream;
      if (end === 'other') await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Returns true if nothing is left to be read now, or nothing can be read. */
function isDone({ state, wanted, run, failures, waiting, next_try }: ShownUpstream): boolean {
  if (state === 'paused' || failures > 0) return true;
  const isWaiting = waiting > 0 && next_try <= dateTimeOf(new Date());
  return wanted === null && run === null && !isWaiting;
}
