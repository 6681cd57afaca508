import { Injectable } from '@nestjs/common';
import type { Session } from '../../../database/database.js';
import { named } from '../../../ledger-format/record-type.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';
import { UpstreamRecordsService } from '../../import/incoming/upstream-records.service.js';
import type { RecordResult } from '../../import/incoming/incoming.model.js';
import type { Upstream, UpstreamRead } from '../../upstreams/upstream.model.js';
import type { MirrorTurn } from '../runs/mirror-turn.js';

/** The value that a problem tells was found. It may be of a person, who may be erased, and a problem is kept. */
const FOUND = /, not "(?:[^"\\]|\\.)*"/g;

/** Writes records that were read from an upstream. */
@Injectable()
export class MirroredRecordsService {
  constructor(private readonly incoming: UpstreamRecordsService) {}

  apply(
    session: Session,
    { id, vendor_id }: Upstream,
    lines: readonly WrittenRecord[],
  ): Promise<RecordResult[]> {
    return this.incoming.apply(session, { vendor_id, source: `upstream ${id}` }, lines);
  }

  /**
   * Writes records whatever is stored of them.
   * @param done reads that brought them
   * @throws TurnLostError
   */
  async store(
    turn: MirrorTurn,
    lines: readonly WrittenRecord[],
    done: readonly UpstreamRead[] = [],
  ): Promise<void> {
    let results: readonly RecordResult[] = [];
    await turn.write(async (session, upstream) => {
      results = await this.apply(session, upstream, lines);
      return { done };
    });
    this.tellRejected(turn, results);
  }

  /** Each record that was rejected, with the reason. */
  tellRejected(turn: MirrorTurn, results: readonly RecordResult[]): void {
    for (const { type, key, verdict, problem } of results) {
      if (verdict !== 'rejected') continue;
      const name = type ?? 'record';
      const subject = key === null ? name : `${name} ${key}`;
      const text = problem?.replaceAll(FOUND, '') ?? 'cannot be read';
      turn.note({ subject, text: named(text, name, key) });
    }
  }
}
