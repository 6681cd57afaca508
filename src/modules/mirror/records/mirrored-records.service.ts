import { Injectable } from '@nestjs/common';
import type { Session } from '../../../database/database.js';
import { UpstreamRecordsService } from '../../import/incoming/upstream-records.service.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import type { ConvertedLine } from '../../upstreams/convert/sent-fields.model.js';
import { subjectOfRead } from '../../upstreams/turns/upstream-turn.model.js';
import type { Upstream, UpstreamRead } from '../../upstreams/upstream.model.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';
import { problemsOf } from './record-problems.js';

/** Writes records that were read from an upstream. */
@Injectable()
export class MirroredRecordsService {
  constructor(private readonly incoming: UpstreamRecordsService) {}

  apply(
    session: Session,
    { id, vendor_id }: Upstream,
    converted: readonly ConvertedLine[],
  ): Promise<RecordResult[]> {
    const lines = converted.map(({ line }) => line);
    return this.incoming.apply(session, { vendor_id, source: `upstream ${id}` }, lines);
  }

  /**
   * Writes records that need no other record. A fault of a record becomes a problem of the read
   * that fetched it, or of the record.
   * @param done the reads that fetched them, in the same order
   * @throws LeaseLostError if another process has the lease, or the upstream was paused
   */
  async store(
    turn: MirrorTurn,
    converted: readonly ConvertedLine[],
    done: readonly UpstreamRead[] = [],
  ): Promise<void> {
    await turn.write(async (session, upstream) => {
      const results = await this.apply(session, upstream, converted);
      const subjects = results.map(({ type, key, line }) => {
        const read = done[line - 1];
        return read === undefined ? `${type ?? 'record'} ${key ?? line}` : subjectOfRead(read);
      });
      const found = converted.flatMap((each, index) => {
        const [result, subject] = [results[index], subjects[index]];
        if (result === undefined || subject === undefined) return [];
        return problemsOf(each, result, { subject });
      });
      return { done, problems: { checked: subjects, found } };
    });
  }
}
